import { CONFINEMENTS, nameOf } from '@tally/contracts';
import { answer } from '../../answer/answer.js';
import { simulator } from '../../mappers.js';
import { defineRoute } from '../../route.js';
import { simulatorsResponse } from '../../schemas/health.js';

/** GET /simulators: which simulator names can run here, and on what. */
export const listSimulators = defineRoute({
  method: 'GET',
  path: '/simulators',
  auth: 'none',
  summary: 'Simulators of this deployment',
  responses: { 200: { description: 'One entry for each simulator name', schema: simulatorsResponse } },
  handle: async ({ call }, services) => {
    const { simulators, confinements } = await services.jobs.listSimulators({}, call);
    return answer({
      message: 'Simulators of this deployment',
      simulators: simulators.map(({ simulator: name, isAvailable, engine }) => ({
        sim_type: simulator.toName(name),
        available: isAvailable,
        engine,
      })),
      confinement: confinements.flatMap((confinement) => nameOf(CONFINEMENTS, confinement) ?? []),
    });
  },
});
