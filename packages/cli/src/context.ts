import { TallyClient } from '@tally/client';
import { type Environment, readConfig } from './config-file.js';
import { EXIT, UserError } from './exit-codes.js';

const URL_UNLESS_GIVEN = 'http://127.0.0.1:8080';

/** What commands work with. */
export interface Context {
  readonly env: Environment;
  readonly stdin: NodeJS.ReadStream;
  /** True: the terminal shows what is overwritten. */
  readonly isTerminal: boolean;
  /** Writes a line to standard output. */
  say(line?: string): void;
  /** Writes as it is, to standard output. */
  write(content: string | Uint8Array): void;
  /** Writes a line to standard error: notes that are not the answer. */
  note(line: string): void;
  /** Sets the exit code, unless a worse one is set. */
  exit(code: number): void;
  /** On SIGINT the command says these words and ends. @returns what makes SIGINT end it without a word again */
  onInterrupt(words: () => string): () => void;
}

/** Options that every command takes. */
export interface CommonOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** Where the service is: the option, the variable, what login kept, or this machine. */
export function urlOf({ env }: Context, { url }: CommonOptions): string {
  const given = url ?? env.TALLY_URL ?? readConfig(env).url ?? URL_UNLESS_GIVEN;
  if (!URL.canParse(given)) throw new UserError(`not an address: ${given}`);
  return given.replace(/\/+$/, '');
}

/** A client that acts by the user's token. @throws UserError when there is none */
export function clientOf(context: Context, options: CommonOptions): TallyClient {
  const client = new TallyClient(urlOf(context, options));
  const token = context.env.TALLY_TOKEN ?? readConfig(context.env).token;
  if (token === undefined || token === '') {
    throw new UserError('not signed in: run "tally login", or put a token into TALLY_TOKEN', EXIT.notAllowed);
  }
  client.token = token.trim();
  return client;
}

/** Answers as JSON, or as people read it. */
export function answer(context: Context, { json }: CommonOptions, value: unknown, text: () => string): void {
  context.say(json === true ? JSON.stringify(value, null, 2) : text());
}
