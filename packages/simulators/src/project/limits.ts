/** Longest name of anything in a project, in characters. */
export const NAME_LENGTH_MAX = 256;
/** Longest description, in characters. */
export const DESCRIPTION_LENGTH_MAX = 100_000;
/** Longest text that a project carries for a simulator (phase space, modulator, stopping powers), in characters. */
export const SOURCE_TEXT_LENGTH_MAX = 20_000_000;
/** Largest absolute coordinate or size, cm (10 km). */
export const COORDINATE_CM_MAX = 1e6;
/** Largest energy, in any of the editor's units. */
export const ENERGY_MAX = 1e12;
/** Largest absolute factor on a result, and largest number of primaries that a result is scaled to. */
export const FACTOR_MAX = 1e30;
/** Most segments of a detector along one axis, and most bins of one differential axis. */
export const AXIS_BINS_MAX = 1_000_000;

/** How much a project may ask for. Every number is a count over the whole project. */
export interface ProjectLimits {
  readonly primariesMax: number;
  readonly figuresMax: number;
  /** Figures inside figures inside figures (Geant4 projects). */
  readonly figureDepthMax: number;
  readonly zonesMax: number;
  /** Boolean operations of all zones together. */
  readonly zoneOperationsMax: number;
  readonly materialsMax: number;
  readonly detectorsMax: number;
  readonly outputsMax: number;
  readonly quantitiesMax: number;
  readonly filtersMax: number;
  readonly filterRulesMax: number;
  /** Bins of all pages together: they are what memory, results and merging grow with. */
  readonly binsMax: number;
}

export const DEFAULT_PROJECT_LIMITS: ProjectLimits = {
  primariesMax: 10_000_000_000,
  figuresMax: 1000,
  figureDepthMax: 50,
  zonesMax: 1000,
  zoneOperationsMax: 10_000,
  materialsMax: 1000,
  detectorsMax: 1000,
  outputsMax: 1000,
  quantitiesMax: 1000,
  filtersMax: 1000,
  filterRulesMax: 10_000,
  binsMax: 20_000_000,
};
