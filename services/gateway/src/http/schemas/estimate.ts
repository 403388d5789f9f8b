import { z } from 'zod';
import { simulatorName } from './job.js';

const seconds = z
  .object({
    expected: z.number().min(0),
    low: z.number().min(0),
    high: z.number().min(0),
  })
  .meta({ id: 'TimeEstimate', description: 'Seconds; in about two of three cases it takes between low and high' });

/** How estimates say what they rest on. */
export const estimateBasisName = z.enum(['same', 'alike', 'engine', 'model']).meta({
  id: 'EstimateBasis',
  description:
    'Jobs of the same project of yours; jobs of the same particle and octave of energy; any jobs on the engine; the model ' +
    'alone, because nothing has run yet',
});

export const estimateResponse = z.object({
  message: z.string(),
  primaries: z.int().min(1),
  ntasks: z.int().min(1),
  slots: z
    .int()
    .min(0)
    .meta({
      description:
        'Tasks that the live runners with `sim_type` run at once, where they differ those of the version with most slots; all ' +
        'runners have the built-in engine. Of a cluster, all of the job',
    }),
  waiting_tasks: z.int().min(0).meta({
    description: "Everybody's tasks that wait for a slot of those runners; of a cluster 0: its queue is not known",
  }),
  tasks_before: z
    .int()
    .min(0)
    .meta({
      description:
        'How many of the waiting tasks are served before the first one of this job: those in the queue, your own, and beside each ' +
        'of your own one of each other user. Of a cluster 0',
    }),
  cluster_name: z.string().optional().meta({ description: 'The cluster that it is for; absent: the runners' }),
  wall_time_limit_seconds: z
    .number()
    .min(0)
    .optional()
    .meta({ description: 'How long each task may take on that cluster; a task that takes longer is lost' }),
  simulators: z
    .array(
      z.object({
        sim_type: simulatorName,
        engine: z.string().meta({ description: 'Who would compute, for example reference 0.1.0' }),
        processor_seconds: seconds.optional().meta({ description: 'Of processors, all tasks together' }),
        wall_seconds: seconds.optional().meta({
          description:
            'By the clock, from the moment when it has slots; absent while no runner of the simulator says how many it has. On a cluster that ' +
            'of all tasks at once, from their start, and so what each of them takes',
        }),
        basis: estimateBasisName.optional(),
        jobs: z.int().min(0).optional().meta({ description: 'How many jobs the estimate rests on' }),
        refusal: z.string().optional().meta({ description: 'Why it cannot run there; then there are no times' }),
      }),
    )
    .meta({ description: 'The one of `sim_type` first; of a project, then the others' }),
});
