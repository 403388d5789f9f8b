import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './commands/account.js';
import { addAdminCommands } from './commands/admin.js';
import { addClassCommands } from './commands/classes.js';
import { addCompareCommand } from './commands/compare.js';
import { addCompletionCommand } from './commands/complete.js';
import { addDeploymentCommands } from './commands/deployment.js';
import { addJobCommands } from './commands/jobs.js';
import { addLabelCommands } from './commands/labels.js';
import { addPeopleCommands } from './commands/people.js';
import { addResultCommands } from './commands/results.js';
import { addShellCommands } from './commands/shell.js';
import { addSubmitCommands } from './commands/submit.js';
import { addSweepCommand } from './commands/sweep.js';
import { addTemplateCommand } from './commands/templates.js';
import type { Context } from './context.js';
import { describeError, EXIT, errorOf, exitCodeOf } from './exit-codes.js';

const VERSION = '0.2.0';

/** The command with everything it knows. */
export function createProgram(context: Context): Command {
  const program = new Command('tally')
    .description('Submit particle-transport simulations, follow them, and take their results')
    .version(VERSION)
    .option('--url <address>', 'address of the service')
    .option('--json', 'answer as JSON')
    .showHelpAfterError('(tally --help says more)')
    .exitOverride();
  addAccountCommands(program, context);
  addTemplateCommand(program, context);
  addSubmitCommands(program, context);
  addSweepCommand(program, context);
  addJobCommands(program, context);
  addLabelCommands(program, context);
  addPeopleCommands(program, context);
  addResultCommands(program, context);
  addCompareCommand(program, context);
  addDeploymentCommands(program, context);
  addClassCommands(program, context);
  addAdminCommands(program, context);
  addShellCommands(program, context, VERSION);
  addCompletionCommand(program, context);
  return program;
}

/** Commander's words without its own name for them. */
const wordsOf = (message: string): string => message.replace(/^error: /, '');

/** Runs the command; faults become a sentence on standard error, or JSON where that is asked for, and an exit code. */
export async function runProgram(args: readonly string[], context: Context): Promise<void> {
  const isJson = args.includes('--json');
  const program = createProgram(context);
  if (isJson) for (const command of withSubcommands(program)) command.configureOutput({ writeErr: () => {} });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (err) {
    if (err instanceof CommanderError) {
      const code = err.exitCode === 0 ? EXIT.ok : EXIT.usage;
      // it has said what is wrong, but in words
      if (isJson && code !== EXIT.ok)
        context.note(JSON.stringify({ error: { message: wordsOf(err.message), exit_code: code } }));
      context.exit(code);
      return;
    }
    context.note(isJson ? JSON.stringify({ error: errorOf(err) }) : `tally: ${describeError(err)}`);
    context.exit(exitCodeOf(err));
  }
}

function* withSubcommands(command: Command): Generator<Command> {
  yield command;
  for (const sub of command.commands) yield* withSubcommands(sub);
}
