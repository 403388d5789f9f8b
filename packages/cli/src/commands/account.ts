import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { password as askPassword, text as askText, isCancel } from '@clack/prompts';
import { TallyClient } from '@tally/client';
import type { Command } from 'commander';
import { readConfig, writeConfig } from '../config-file.js';
import { answer, type CommonOptions, type Context, clientOf, urlOf } from '../context.js';
import { signInByDevice } from '../device-flow.js';
import { EXIT, UserError } from '../exit-codes.js';
import { table } from '../terminal/plot.js';

const DAY_MS = 86_400_000;

/** How somebody signs in. */
export interface LoginOptions extends CommonOptions {
  readonly username?: string;
  readonly passwordStdin?: boolean;
  readonly tokenStdin?: boolean;
  readonly sso?: boolean;
  readonly ssoTokenStdin?: boolean;
}

async function ask(question: Promise<string | symbol | undefined>): Promise<string> {
  const given = await question;
  if (given === undefined || isCancel(given) || given === '') throw new UserError('nothing was entered');
  return String(given);
}

/** Asks, where somebody can answer; secrets are never options, which other users of the machine could read. */
async function secret(context: Context, isFromStdin: boolean | undefined, message: string): Promise<string> {
  if (isFromStdin === true) return (await text(context.stdin)).replace(/\r?\n$/, '');
  if (!context.isTerminal)
    throw new UserError(`no terminal to ask for the ${message.toLowerCase()}: give it on standard input`);
  return ask(askPassword({ message }));
}

/** A session of the user, for what a token must not do; it is ended afterwards. */
export async function withSession<T>(
  context: Context,
  options: LoginOptions,
  work: (client: TallyClient) => Promise<T>,
): Promise<T> {
  const client = new TallyClient(urlOf(context, options));
  if (options.ssoTokenStdin === true || options.sso === true) {
    const ssoToken = options.sso === true ? await askRealm(context, client) : await secret(context, true, 'Token');
    await client.request('POST', '/auth/sso', { body: { sso_token: ssoToken.trim() } });
  } else {
    if (options.username === undefined && !context.isTerminal)
      throw new UserError('--username is needed where nobody can be asked');
    const username = options.username ?? (await ask(askText({ message: 'User name' })));
    const password = await secret(context, options.passwordStdin, 'Password');
    await client.request('POST', '/auth/login', { body: { username, password } });
  }
  try {
    return await work(client);
  } finally {
    await client.send('DELETE', '/auth/logout');
  }
}

async function askRealm(context: Context, client: TallyClient): Promise<string> {
  const { sso } = await client.request('GET', '/auth/sso');
  return signInByDevice(sso, ({ address, code }) =>
    context.note(`Open ${address} in a browser and enter the code ${code}; waiting …`),
  );
}

async function login(context: Context, options: LoginOptions & { readonly days: string }): Promise<void> {
  const url = urlOf(context, options);
  if (options.tokenStdin === true) {
    const token = (await secret(context, true, 'Token')).trim();
    const client = new TallyClient(url);
    client.token = token;
    const { username } = await client.request('GET', '/auth/status');
    writeConfig(context.env, { url, token });
    return answer(context, options, { username, url }, () => `Signed in to ${url} as ${username}`);
  }
  const made = await withSession(context, options, async (client) => {
    const { username } = await client.request('GET', '/auth/status');
    const body = {
      name: `tally on ${hostname()}`.slice(0, 128),
      scopes: ['read' as const, 'submit' as const],
      expires_at: expiry(options.days),
    };
    return { username, ...(await client.request('POST', '/auth/tokens', { body })) };
  });
  writeConfig(context.env, { url, token: made.token });
  const { username, expires_at } = made;
  answer(
    context,
    options,
    { username, url, expires_at },
    () => `Signed in to ${url} as ${username}, until ${expires_at}`,
  );
}

function expiry(days: string): string {
  const count = Number(days);
  if (!(count > 0)) throw new UserError(`--days must be a positive number, not ${days}`);
  return new Date(Date.now() + count * DAY_MS).toISOString();
}

/** How to sign in, as options. */
export function addLoginOptions(command: Command): Command {
  return command
    .option('-u, --username <name>', 'user name; asked for unless given')
    .option('--password-stdin', 'read the password from standard input')
    .option('--sso', 'sign in through single sign-on: by a code that you enter in a browser')
    .option('--sso-token-stdin', 'sign in with a token of single sign-on, from standard input');
}

/** login, logout, status. */
export function addAccountCommands(program: Command, context: Context): void {
  addLoginOptions(program.command('login').description('Sign in and keep a token for this machine'))
    .option('--token-stdin', 'keep an existing token, from standard input')
    .option('--days <n>', 'how long the token is valid', '90')
    .action((_, command: Command) => login(context, command.optsWithGlobals()));
  program
    .command('logout')
    .description('Forget the token of this machine; it stays valid until it expires or is ended')
    .action(() => writeConfig(context.env, { url: readConfig(context.env).url }));
  program
    .command('status')
    .description('Who is signed in, and where')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const client = clientOf(context, options);
      const { username, source } = await client.request('GET', '/auth/status');
      answer(
        context,
        options,
        { username, source, url: client.baseUrl },
        () => `${username} (${source}) at ${client.baseUrl}`,
      );
    });
  addTokenCommands(program, context);
}

interface TokenOptions extends LoginOptions {
  readonly days: string;
  readonly scopes: string;
}

function addTokenCommands(program: Command, context: Context): void {
  const token = program
    .command('token')
    .description('Tokens for scripts; asks for the password, a token must not make tokens');
  addLoginOptions(token.command('create <name>').description('Make a token; it is shown this once'))
    .option('--scopes <list>', 'read, submit, or both', 'read,submit')
    .option('--days <n>', 'how long it is valid', '90')
    .action(async (name: string, _, command: Command) => {
      const options = command.optsWithGlobals<TokenOptions>();
      const scopes = options.scopes.split(',').map((scope) => scope.trim()) as ('read' | 'submit')[];
      const body = { name, scopes, expires_at: expiry(options.days) };
      const made = await withSession(context, options, (client) => client.request('POST', '/auth/tokens', { body }));
      answer(context, options, made, () => made.token);
    });
  addLoginOptions(token.command('list').description('List your tokens')).action(async (_, command: Command) => {
    const options = command.optsWithGlobals<LoginOptions>();
    const { tokens } = await withSession(context, options, (client) => client.request('GET', '/auth/tokens'));
    answer(context, options, tokens, () =>
      table(
        ['ID', 'NAME', 'SCOPES', 'EXPIRES', 'USED'],
        tokens.map((t) => [t.token_id, t.name, t.scopes.join(','), t.expires_at, t.last_used_at ?? 'never']),
      ),
    );
  });
  addLoginOptions(token.command('end <id>').description('End a token')).action(
    async (tokenId: string, _, command: Command) => {
      const options = command.optsWithGlobals<LoginOptions>();
      const ended = await withSession(context, options, (client) =>
        client.request('DELETE', '/auth/tokens', { query: { token_id: tokenId } }),
      );
      answer(context, options, ended, () => ended.message);
    },
  );
  token.action(() => {
    throw new UserError('token create, token list or token end', EXIT.usage);
  });
}
