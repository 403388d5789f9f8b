/**
 * What was simulated, read off the converted problem: the words of a project may be of another one. It is made when a job is
 * submitted, stored with the job and with its input, and shown with both; members are named as the public interface shows them.
 */
export interface ProblemDescription {
  /** The beam in a line, for example `proton, 150 MeV` or `proton, 250 spots, 10 energies 132–150 MeV, from sobp.dat`. */
  readonly beam: string;
  /** Name, for example `proton` or `ion (Z=6, A=12)`. */
  readonly particle: string;
  /** How its curves are read. */
  readonly kind: 'ion' | 'electron' | 'photon';
  /** Total kinetic energies, and how many different ones. */
  readonly energy_mev: { readonly min: number; readonly max: number; readonly count: number };
  /** Of a spot list; 0: there is none. */
  readonly spots: number;
  /** Mean excitation energy of liquid water; null: there is no water, or the simulator does not say. */
  readonly water_ionisation_ev: number | null;
  /** The axis along which the beam goes; null: it goes along none. */
  readonly depth: DepthAxis | null;
}

/** What a job was submitted as; of users' own files the problem is not known. */
export interface JobDescription extends Partial<ProblemDescription> {
  readonly title: string;
  /** Name of the interface. */
  readonly simulator: string;
  /** Who computes, with the version that was known then, for example `reference 0.1.0`. */
  readonly engine: string;
  /** Unsigned 64-bit, in decimal. */
  readonly seed: string;
  /** Primaries that its owner has asked for; of a job with a target at most so many. */
  readonly requested_primaries: number;
  /** ISO 8601, UTC. */
  readonly submitted_at: string;
  /** The kept project that it was submitted from, with its title then; absent: none. */
  readonly project?: { readonly project_id: string; readonly revision: number; readonly title: string };
}

/** Where depths begin. */
export interface DepthAxis {
  readonly axis: 'X' | 'Y' | 'Z';
  /** -1: the beam goes towards smaller coordinates. */
  readonly sign: 1 | -1;
  /** Coordinate of the first matter denser than a gas on the beam's axis, cm; null: it meets none. */
  readonly first_matter_cm: number | null;
}
