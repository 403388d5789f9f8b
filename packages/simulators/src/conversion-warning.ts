/** Something that the project asks for and the deck leaves out without changing the answer. */
export interface ConversionWarning {
  /** Stable word for programs, UPPER_SNAKE. */
  readonly code: string;
  /** Sentence for people, naming the thing. */
  readonly message: string;
}
