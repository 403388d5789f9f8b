import { TallyClient } from '@tally/client';
import type { Command } from 'commander';
import { answer, type CommonOptions, type Context, clientOf, urlOf } from '../context.js';
import { table } from '../terminal/plot.js';

/** clusters, simulators, limits. */
export function addDeploymentCommands(program: Command, context: Context): void {
  program
    .command('clusters')
    .description('Where batch jobs can go')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { clusters } = await clientOf(context, options).request('GET', '/clusters');
      answer(context, options, clusters, () =>
        table(
          ['CLUSTER', 'AVAILABLE', 'NAME'],
          clusters.map((c) => [c.cluster_name, c.available ? 'yes' : 'no', c.display_name]),
        ),
      );
    });
  program
    .command('simulators')
    .description('What the deployment computes with')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { simulators } = await new TallyClient(urlOf(context, options)).request('GET', '/simulators');
      answer(context, options, simulators, () =>
        table(
          ['SIMULATOR', 'AVAILABLE', 'ENGINE'],
          simulators.map((s) => [s.sim_type, s.available ? 'yes' : 'no', s.engine]),
        ),
      );
    });
  program
    .command('limits')
    .description('Limits of the deployment')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { limits } = await new TallyClient(urlOf(context, options)).request('GET', '/limits');
      answer(context, options, limits, () =>
        table(
          ['LIMIT', 'VALUE'],
          Object.entries(limits).map(([name, value]) => [name, String(value)]),
        ),
      );
    });
}
