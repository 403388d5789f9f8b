import { z } from 'zod';

/** What a job simulates: with the job, its results, in lists and files. */
export const jobDescription = z
  .object({
    title: z.string(),
    simulator: z.string().meta({ description: 'That was asked for' }),
    engine: z.string().meta({ description: 'Who computes, with the version that was known at the submission' }),
    seed: z.string().meta({ description: 'Decimal digits, up to 2^64-1' }),
    requested_primaries: z.int().min(0).meta({
      description: 'That its owner asked for, extensions included; of a job with a target at most so many',
    }),
    submitted_at: z.string().meta({ description: 'ISO 8601, UTC' }),
    beam: z
      .string()
      .optional()
      .meta({ description: 'In a line, for example "proton, 250 spots, 10 energies 132–150 MeV, from sobp.dat"' }),
    particle: z.string().optional(),
    kind: z.enum(['ion', 'electron', 'photon']).optional().meta({ description: 'How depth curves are read' }),
    energy_mev: z
      .object({ min: z.number(), max: z.number(), count: z.int().min(1) })
      .optional()
      .meta({ description: 'Total kinetic energies of the beam, and how many different ones' }),
    spots: z.int().min(0).optional().meta({ description: 'Of a spot list; 0: there is none' }),
    water_ionisation_ev: z
      .number()
      .nullable()
      .optional()
      .meta({ description: 'Mean excitation energy of liquid water, eV; null: there is no water, or it is not known' }),
    depth: z
      .object({
        axis: z.enum(['X', 'Y', 'Z']),
        sign: z.union([z.literal(1), z.literal(-1)]),
        first_matter_cm: z.number().nullable(),
      })
      .nullable()
      .optional()
      .meta({
        description:
          'Axis along which the beam goes, -1: towards smaller coordinates, and the coordinate of the first matter denser ' +
          'than a gas, where depths begin; null: it goes along none',
      }),
    project: z
      .object({ project_id: z.string(), revision: z.int().min(1), title: z.string() })
      .optional()
      .meta({ description: 'The kept project that it was submitted from, with its title then' }),
  })
  .meta({
    id: 'JobDescription',
    description: "What a job simulates, read off the converted project; of users' own files the beam is not known",
  });
