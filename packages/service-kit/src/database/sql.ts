/**
 * A statement with its values, made by {@link sql}. PostgreSQL parses and plans each text once a connection and knows it
 * by its name from then on (named prepared statements, PostgreSQL manual, "Extended Query").
 */
export class Sql<Row = unknown> {
  /** Type of a row of the answer; never set. */
  declare readonly row: Row;

  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
  ) {}
}

/** Text with $1, $2 … and its name. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A statement: `` sql<TaskRow>`SELECT id, state FROM tasks WHERE id = ${key}` ``. Every `${value}` travels apart from the
 * text; another `sql` in its place becomes part of the text. `Row` is the caller's word for what comes back: names and types of the columns, with
 * int8 as bigint, timestamptz as Date, bytea as Buffer.
 */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql<Row> {
  return new Sql<Row>(strings, values);
}

/** A whole number as part of the text instead of a value, for what the planner has to know. Each number makes a statement of its own: use few. */
export function sqlNumber(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number`);
  return new Sql([String(value)], []);
}

const textOfTemplate = new WeakMap<readonly string[], { readonly name: string; readonly text: string }>();
const nameOfText = new Map<string, string>();

function nameText(text: string): { readonly name: string; readonly text: string } {
  let name = nameOfText.get(text);
  if (name === undefined) {
    name = `s${nameOfText.size + 1}`;
    nameOfText.set(text, name);
  }
  return { name, text };
}

/** What is sent for a statement. Templates are few, so their texts are kept. */
export function prepare(statement: Sql): Prepared {
  const { strings, values } = statement;
  const isPlain = !values.some((value) => value instanceof Sql);
  if (!isPlain) {
    const all: unknown[] = [];
    return { ...nameText(write(statement, all)), values: all };
  }
  let known = textOfTemplate.get(strings);
  if (known === undefined) {
    known = nameText(write(statement, []));
    textOfTemplate.set(strings, known);
  }
  return { name: known.name, text: known.text, values };
}

/** Writes the text; values are added to `all` in the order of their numbers. */
function write({ strings, values }: Sql, all: unknown[]): string {
  let text = strings[0] ?? '';
  for (const [i, value] of values.entries()) {
    text += value instanceof Sql ? write(value, all) : `$${all.push(value)}`;
    text += strings[i + 1] ?? '';
  }
  return text;
}
