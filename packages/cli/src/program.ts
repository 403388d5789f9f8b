import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './commands/account.js';
import { addCompareCommand } from './commands/compare.js';
import { addDeploymentCommands } from './commands/deployment.js';
import { addJobCommands } from './commands/jobs.js';
import { addResultCommands } from './commands/results.js';
import { addShellCommands } from './commands/shell.js';
import { addSweepCommand } from './commands/sweep.js';
import type { Context } from './context.js';
import { describeError, EXIT, exitCodeOf } from './exit-codes.js';

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
  addJobCommands(program, context);
  addSweepCommand(program, context);
  addResultCommands(program, context);
  addCompareCommand(program, context);
  addDeploymentCommands(program, context);
  addShellCommands(program, context, VERSION);
  return program;
}

/** Runs the command; faults become a sentence on standard error and an exit code. */
export async function runProgram(args: readonly string[], context: Context): Promise<void> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' });
  } catch (err) {
    if (err instanceof CommanderError) {
      context.exit(err.exitCode === 0 ? EXIT.ok : EXIT.usage); // it has said what is wrong
      return;
    }
    context.note(`tally: ${describeError(err)}`);
    context.exit(exitCodeOf(err));
  }
}
