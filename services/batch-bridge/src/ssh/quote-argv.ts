// Control characters and what is no Unicode text: no scheduler option or path needs them, and no shell agrees on them.
const UNQUOTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;
const PLAIN = /^[A-Za-z0-9_./:=,@%+-]+$/;

function quoteWord(word: string): string {
  if (UNQUOTABLE.test(word)) throw new RangeError('a control character cannot be part of a command');
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * The text of a command line whose words a login shell reads back exactly as given: POSIX sh, bash, zsh, dash, ksh. The
 * only place where a command line for a cluster is made. @throws RangeError for control characters
 */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map(quoteWord).join(' ');
}
