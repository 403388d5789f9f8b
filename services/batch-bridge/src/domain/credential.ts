/** Certificate and key of a user, as auth gives them. */
export interface Credential {
  /** One line, as in `id_ed25519-cert.pub`. */
  readonly certificate: string;
  /** PEM or OpenSSH format, without passphrase. */
  readonly privateKey: string;
}

/** A credential with the login name that it is for. */
export interface UserCredential extends Credential {
  readonly username: string;
}
