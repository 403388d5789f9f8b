/** What is counted. A user's count at a known address and elsewhere differ by subject. */
export type ThrottleScope =
  | 'login_user'
  | 'login_address'
  | 'registration_address'
  | 'password_user'
  | 'link_address'
  | 'name_user'
  | 'reset_user'
  | 'reset_address'
  | 'email_user'
  | 'email_address';

/** A subject's count and its limit. */
export interface ThrottleCount {
  readonly scope: ThrottleScope;
  /** SHA-256 of what is counted. */
  readonly subject: Uint8Array<ArrayBuffer>;
  readonly attemptsMax: number;
  readonly windowMs: number;
}
