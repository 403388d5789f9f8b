import { randomBytes } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { fail } from '../domain/errors.js';
import type { CommandResult } from '../domain/remote-shell.js';
import { quoteArgv } from './quote-argv.js';

/*
 * sshd runs a command by the login shell of the user, whose scripts may print before it: greetings, colours without an end of the
 * line, errors. So every command is begun by a mark on both of its outputs, and only what follows it is an answer.
 */

/** First half of a mark. The halves are joined where the command runs: a shell that prints what it runs prints no mark. */
const MARK_START = 'tally-';
/** POSIX sh, whatever the login shell is; becomes the command. */
const SCRIPT = 'printf %s%s "$1" "$2"; printf %s%s "$1" "$2" >&2; shift 2; exec "$@"';
/** Of what a login script prints so much is shown. */
const SHOWN_CHARACTERS_MAX = 200;

/** A command line whose answer can be told from what comes before it. */
export interface MarkedCommand {
  readonly line: string;
  /**
   * The answer; `printed` is what came before it on the standard output, to be shown, and empty where nothing did.
   * @throws ServiceError COMMAND_NOT_RUN where there is no mark: nothing that was printed is the command's
   */
  read(result: RawResult): { readonly result: CommandResult; readonly printed: string };
}

/** How a command line ended. */
export interface RawResult {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exitCode: number;
}

/** Marks a command. @throws RangeError for control characters */
export function markCommand(argv: readonly string[]): MarkedCommand {
  const secret = randomBytes(8).toString('hex');
  const mark = Buffer.from(`${MARK_START}${secret}`);
  const split = (output: Buffer): { readonly before: Buffer; readonly after: Buffer } | undefined => {
    const at = output.indexOf(mark);
    return at < 0 ? undefined : { before: output.subarray(0, at), after: output.subarray(at + mark.length) };
  };
  return {
    line: quoteArgv(['sh', '-c', SCRIPT, 'sh', MARK_START, secret, ...argv]),
    read({ stdout, stderr, exitCode }) {
      const [out, err] = [split(stdout), split(stderr)];
      if (out === undefined || err === undefined) {
        const said = showPrinted(Buffer.concat([stdout, Buffer.from(' '), stderr]).toString('utf8'));
        const cause = new Error(said === '' ? `exit code ${exitCode}` : said);
        throw fail('COMMAND_NOT_RUN', { cause });
      }
      const text = (bytes: Buffer): string => bytes.toString('utf8');
      return {
        result: { stdout: text(out.after), stderr: text(err.after), exitCode },
        printed: out.before.length === 0 ? '' : showPrinted(text(out.before)) || 'control characters',
      };
    },
  };
}

/** What was printed, in one line, without what a terminal would do with it. */
function showPrinted(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, SHOWN_CHARACTERS_MAX);
}
