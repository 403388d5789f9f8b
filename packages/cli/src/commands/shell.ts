import type { Command } from 'commander';
import type { Context } from '../context.js';
import { EXIT, UserError } from '../exit-codes.js';

const PAGE_SECTIONS = {
  environment: [
    'TALLY_URL',
    'address of the service',
    'TALLY_TOKEN',
    'token that is used instead of the one that login kept',
  ],
} as const;

/** A completion script for a shell: it asks the command itself what may come next. @throws UserError for another shell */
export function completionScript(shell: string): string {
  if (shell === 'bash' || shell === 'zsh') {
    return [
      ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
      '_tally() {',
      "  local IFS=$'\\n'",
      '  COMPREPLY=($(tally complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))',
      '}',
      'complete -o default -F _tally tally',
    ].join('\n');
  }
  if (shell === 'fish')
    return "complete -c tally -a '(tally complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'";
  throw new UserError('completion is for bash, zsh or fish');
}

const roff = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

function commandPage(command: Command, prefix = ''): string[] {
  const usage = `${prefix}${command.name()} ${command.usage()}`.replace(' [options]', '');
  const own = [
    `.SS ${roff(usage)}`,
    roff(command.description()),
    ...command.options.flatMap((option) => ['.TP', `.B ${roff(option.flags)}`, roff(option.description)]),
  ];
  return [...own, ...command.commands.flatMap((sub) => commandPage(sub, `${command.name()} `))];
}

/** The man page (man(7)), from the commands themselves. */
export function manPage(program: Command, version: string): string {
  const [url, urlWords, token, tokenWords] = PAGE_SECTIONS.environment;
  const codes = Object.entries(EXIT).flatMap(([name, code]) => [
    '.TP',
    `.B ${code}`,
    EXIT_WORDS[name as keyof typeof EXIT],
  ]);
  return [
    `.TH TALLY 1 "" "Tally ${version}"`,
    '.SH NAME',
    `tally \\- ${roff(program.description())}`,
    '.SH SYNOPSIS',
    '.B tally',
    '[options] command',
    '.SH OPTIONS',
    ...program.options.flatMap((option) => ['.TP', `.B ${roff(option.flags)}`, roff(option.description)]),
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => commandPage(command)),
    '.SH EXIT STATUS',
    ...codes,
    '.SH ENVIRONMENT',
    '.TP',
    `.B ${url}`,
    urlWords,
    '.TP',
    `.B ${token}`,
    tokenWords,
    '.SH FILES',
    '.TP',
    '.I $XDG_CONFIG_HOME/tally/config.json',
    'what login keeps; readable by its owner alone',
  ].join('\n');
}

/** What an exit code says. */
export const EXIT_WORDS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done; with watch, the job is COMPLETED',
  failed: 'a fault of the command itself',
  usage: 'wrong arguments, or a file that cannot be read',
  notAllowed: 'not signed in, or not allowed',
  notFound: 'there is no such job, estimator or log',
  refused: 'the service refuses the request and says why',
  unavailable: 'the service cannot be reached or is busy: try again',
  jobFailed: 'the job is FAILED',
  jobCanceled: 'the job is CANCELED',
  interrupted: 'ended by Ctrl-C; jobs go on',
};

/** completion, man. */
export function addShellCommands(program: Command, context: Context, version: string): void {
  program
    .command('completion <shell>')
    .description('Completion for bash, zsh or fish: eval "$(tally completion bash)"')
    .action((shell: string) => context.say(completionScript(shell)));
  program
    .command('man')
    .description('The manual page: tally man | man -l -')
    .action(() => context.say(manPage(program, version)));
}
