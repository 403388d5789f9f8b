import type { Detector, EngineTask, Output, Physics, Quantity, TransportProblem } from '../src/problem/problem.js';

/** What a test varies in the standard problem: a beam along z into a water cylinder that begins at z = 0. */
export interface TankOptions {
  readonly z?: number;
  readonly a?: number;
  readonly energyMev?: number;
  readonly energySpreadMev?: number;
  readonly physics?: Partial<Physics>;
  readonly depthCm?: number;
  readonly radiusCm?: number;
  readonly icru?: number;
  readonly detectors?: readonly Detector[];
  readonly outputs?: readonly Output[];
}

export const PHYSICS: Physics = {
  energyLossFraction: 0.03,
  straggling: 'vavilov',
  scattering: 'moliere',
  nuclearReactions: true,
  stoppingPowerTable: 'icru49',
};

/** Straight lines without fluctuations. */
export const SLOWING_DOWN_ONLY: Partial<Physics> = { straggling: 'none', scattering: 'none', nuclearReactions: false };

export function quantity(keyword: string, more: Partial<Quantity> = {}): Quantity {
  return { name: keyword, keyword, modifiers: [], scale: 1, ...more };
}

/** All protons. */
export const PROTONS: NonNullable<Quantity['filter']> = {
  name: 'protons',
  rules: [
    { keyword: 'Z', operator: '==', value: 1 },
    { keyword: 'A', operator: '==', value: 1 },
  ],
};

/** Only protons of the beam that have not interacted. */
export const PRIMARIES: Quantity['filter'] = {
  name: 'primaries',
  rules: [
    { keyword: 'GEN', operator: '==', value: 0 },
    { keyword: 'Z', operator: '==', value: 1 },
  ],
};

type CylinderDetector = Extract<Detector, { type: 'cylinder' }>;

export function depthDetector(depthCm: number, bins: number, radiusCm = 5): CylinderDetector {
  return {
    type: 'cylinder',
    name: 'depth',
    centerCm: [0, 0, depthCm / 2],
    innerRadiusCm: 0,
    radiusCm,
    depthCm,
    radialSegments: 1,
    zSegments: bins,
  };
}

/** The standard problem: 150 MeV protons, water, vacuum around. */
export function tank(options: TankOptions = {}): TransportProblem {
  const { z = 1, a = 1, energyMev = 150, energySpreadMev = 0, depthCm = 20, radiusCm = 5 } = options;
  return {
    version: 1,
    title: 'tank',
    beam: {
      particle: { name: `Z ${z} A ${a}`, z, a },
      positionCm: [0, 0, -1],
      direction: [0, 0, 1],
      energyMev,
      energySpreadMev,
      energyLowCutoffMev: 0,
      energyHighCutoffMev: 20000,
      shape: { type: 'gaussian', sigmaXCm: 0, sigmaYCm: 0 },
      divergence: { xMrad: 0, yMrad: 0, distanceToFocalCm: 0 },
    },
    physics: { ...PHYSICS, ...options.physics },
    materials: [
      { name: 'target', icru: options.icru ?? 276 },
      { name: 'vacuum', icru: 1000 },
    ],
    figures: [
      {
        name: 'tank',
        shape: { type: 'cylinder', innerRadiusCm: 0, radiusCm, depthCm },
        centerCm: [0, 0, depthCm / 2],
        rotationDeg: [0, 0, 0],
      },
      {
        name: 'world',
        shape: { type: 'box', sizeCm: [2 * radiusCm + 4, 2 * radiusCm + 4, depthCm + 4] },
        centerCm: [0, 0, depthCm / 2],
        rotationDeg: [0, 0, 0],
      },
    ],
    zones: [{ name: 'tank', material: 0, terms: [[{ mode: 'union', figure: 0 }]] }],
    world: { figure: 1, material: 1 },
    detectors: options.detectors ?? [depthDetector(depthCm, Math.round(depthCm * 20), radiusCm)],
    outputs: options.outputs ?? [{ name: 'depth', detector: 0, quantities: [quantity('Dose')] }],
  };
}

export function task(primaries: number, more: Partial<EngineTask> = {}): EngineTask {
  return { primaries, firstHistory: 0, seed: '20260101', ...more };
}
