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

/** Words that may come next, of a command: its commands and long options. */
const wordsOf = (command: Command): string[] => [
  ...command.commands.map((sub) => sub.name()),
  ...command.options.map((option) => option.long ?? '').filter((name) => name !== ''),
];

/** A completion script for a shell, from the commands themselves. @throws UserError for another shell */
export function completionScript(program: Command, shell: string): string {
  const common = program.options.map((option) => option.long ?? '').filter((name) => name !== '');
  const cases = program.commands.map((command) => ({ name: command.name(), words: [...wordsOf(command), ...common] }));
  if (shell === 'bash' || shell === 'zsh') {
    const lines = cases.map(({ name, words }) => `    ${name}) words="${words.join(' ')}" ;;`);
    return [
      ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
      '_tally() {',
      '  local words',
      '  case "${COMP_WORDS[1]}" in',
      ...lines,
      `    *) words="${wordsOf(program).join(' ')}" ;;`,
      '  esac',
      `  [ "$COMP_CWORD" = 1 ] && words="${wordsOf(program).join(' ')}"`,
      '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
      '}',
      'complete -o default -F _tally tally',
    ].join('\n');
  }
  if (shell === 'fish') {
    const escape = (text: string) => text.replaceAll("'", "\\'");
    return program.commands
      .flatMap((command) => [
        `complete -c tally -n __fish_use_subcommand -a ${command.name()} -d '${escape(command.description())}'`,
        ...command.options.map(
          (option) =>
            `complete -c tally -n '__fish_seen_subcommand_from ${command.name()}' -l ${(option.long ?? '').slice(2)} -d '${escape(option.description)}'`,
        ),
      ])
      .join('\n');
  }
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
};

/** completion, man. */
export function addShellCommands(program: Command, context: Context, version: string): void {
  program
    .command('completion <shell>')
    .description('Completion for bash, zsh or fish: eval "$(tally completion bash)"')
    .action((shell: string) => context.say(completionScript(program, shell)));
  program
    .command('man')
    .description('The manual page: tally man | man -l -')
    .action(() => context.say(manPage(program, version)));
}
