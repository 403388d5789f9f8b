/**
 * The transport problem: what the reference engine is asked to simulate, free of any editor's or deck's syntax.
 * Lengths cm, angles degrees (divergence mrad), energies MeV of total kinetic energy (not per nucleon), density g/cm³.
 * Converters (packages/simulators) write it; the engine reads it from a JSON file.
 */
export type Vector = readonly [number, number, number];

/** A Gaussian pencil beam of a spot list; energies MeV of total kinetic energy, widths and divergence standard deviations. */
export interface Spot {
  readonly energyMev: number;
  readonly energySpreadMev: number;
  /** Offset across the beam from its position. */
  readonly xCm: number;
  readonly yCm: number;
  readonly sigmaXCm: number;
  readonly sigmaYCm: number;
  readonly divergenceXMrad: number;
  readonly divergenceYMrad: number;
  /** Share of the primaries, in any unit. */
  readonly weight: number;
}

export interface Beam {
  /** Charge and mass number; the engine refuses what it cannot transport, by name. */
  readonly particle: { readonly name: string; readonly z: number; readonly a: number };
  readonly positionCm: Vector;
  readonly direction: Vector;
  readonly energyMev: number;
  /** Standard deviation of a Gaussian. */
  readonly energySpreadMev: number;
  readonly energyLowCutoffMev: number;
  readonly energyHighCutoffMev: number;
  readonly shape:
    | { readonly type: 'gaussian'; readonly sigmaXCm: number; readonly sigmaYCm: number }
    | { readonly type: 'flat-square'; readonly halfXCm: number; readonly halfYCm: number }
    | { readonly type: 'flat-circular'; readonly radiusCm: number };
  readonly divergence: { readonly xMrad: number; readonly yMrad: number; readonly distanceToFocalCm: number };
  /**
   * A spot list in place of energy, spread, shape and divergence above (the distance to the focal plane and the cut-offs
   * hold for all spots). Each primary draws its spot by weight.
   */
  readonly spots?: readonly Spot[];
  /** Source-to-axis distances; absent: parallel beam. */
  readonly sad?: { readonly xCm: number; readonly yCm: number };
}

export interface Physics {
  /** Largest fraction of its energy that a particle loses in one step. */
  readonly energyLossFraction: number;
  readonly straggling: 'none' | 'gaussian' | 'vavilov';
  readonly scattering: 'none' | 'gaussian' | 'moliere';
  readonly nuclearReactions: boolean;
  /** False: neutrons take their energy out of the calculation. Absent: they are followed. */
  readonly neutrons?: boolean;
  /** Stopping powers of water, air and graphite, and their mean excitation energies, where a material names no table. */
  readonly stoppingPowerTable: StoppingPowerTable;
}

/** The report whose stopping powers a material has; they differ for water, air and graphite. */
export type StoppingPowerTable = 'icru49' | 'icru90';

export interface Material {
  readonly name: string;
  /** ICRU id 1–278, 906 (graphite), 1000 (vacuum) or 0 (black hole). */
  readonly icru: number;
  /** Absent: the library's. */
  readonly densityGcm3?: number;
  /** Absent: the library's, by the table. */
  readonly ionisationEv?: number;
  /** Absent: that of the physics. */
  readonly stoppingPowerTable?: StoppingPowerTable;
}

export type FigureShape =
  | { readonly type: 'box'; readonly sizeCm: Vector }
  | { readonly type: 'cylinder'; readonly innerRadiusCm: number; readonly radiusCm: number; readonly depthCm: number }
  | { readonly type: 'sphere'; readonly radiusCm: number };

export interface Figure {
  readonly name: string;
  readonly shape: FigureShape;
  readonly centerCm: Vector;
  /** v' = Rz·Ry·Rx·v about the centre. */
  readonly rotationDeg: Vector;
}

export type BooleanMode = 'union' | 'intersection' | 'subtraction' | 'reverse-subtraction';

export interface Zone {
  readonly name: string;
  /** Index into `materials`. */
  readonly material: number;
  /** Union of terms; inside a term left to right; `figure` is an index into `figures`. */
  readonly terms: readonly (readonly { readonly mode: BooleanMode; readonly figure: number }[])[];
}

export type Detector =
  | {
      readonly type: 'mesh';
      readonly name: string;
      readonly centerCm: Vector;
      readonly sizeCm: Vector;
      readonly segments: Vector;
    }
  | {
      readonly type: 'cylinder';
      readonly name: string;
      readonly centerCm: Vector;
      readonly innerRadiusCm: number;
      readonly radiusCm: number;
      readonly depthCm: number;
      readonly radialSegments: number;
      readonly zSegments: number;
    }
  /** `zone`: index into `zones`; `zones.length` is the world zone. */
  | { readonly type: 'zone'; readonly name: string; readonly zone: number }
  | { readonly type: 'all'; readonly name: string };

export interface FilterRule {
  readonly keyword: 'A' | 'Z' | 'E' | 'ENUC' | 'EAMU' | 'AMASS' | 'AMU' | 'GEN' | 'ID' | 'NPRIM';
  readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly value: number;
}

/** What a quantity counts. */
export interface Filter {
  readonly name: string;
  /** All must hold. */
  readonly rules: readonly FilterRule[];
  /** Particles by charge and mass number, of which any may count beside the rules; absent: all. */
  readonly kinds?: readonly { readonly z: number; readonly a: number }[];
}

/** A differential axis. */
export interface Modifier {
  readonly type: string;
  readonly lower: number;
  readonly upper: number;
  readonly bins: number;
  readonly log: boolean;
}

export interface Quantity {
  readonly name: string;
  /** The editor's keyword (Dose, DoseGy, Fluence, dLET …); the engine refuses those it cannot score, by name. */
  readonly keyword: string;
  readonly modifiers: readonly Modifier[];
  readonly filter?: Filter;
  /** Index into `materials` of the medium that dose and LET refer to; absent: the local one. */
  readonly material?: number;
  /** Factor on the result, applied at presentation only. */
  readonly scale: number;
}

export interface Output {
  readonly name: string;
  /** Index into `detectors`. */
  readonly detector: number;
  readonly quantities: readonly Quantity[];
}

export interface TransportProblem {
  readonly version: 1;
  readonly title: string;
  readonly beam: Beam;
  readonly physics: Physics;
  readonly materials: readonly Material[];
  readonly figures: readonly Figure[];
  /** Earlier zones win where zones overlap. */
  readonly zones: readonly Zone[];
  /** What is inside `figure` and in no zone; outside it everything is absorbed. */
  readonly world: { readonly figure: number; readonly material: number };
  readonly detectors: readonly Detector[];
  readonly outputs: readonly Output[];
}

/** What one task runs: histories [firstHistory, firstHistory + primaries) of the job. */
export interface EngineTask {
  readonly primaries: number;
  readonly firstHistory: number;
  /** The job's seed, an unsigned 64-bit integer in decimal. */
  readonly seed: string;
}
