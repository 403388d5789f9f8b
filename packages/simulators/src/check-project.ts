/*
 * What an editor asks while somebody types: the checks of a submission, where the project is, and nothing that runs. The
 * console bundles it for the browser.
 */
import { createZoneFinder, listMaterials, type ProblemGeometry } from '@tally/engine';
import { ConversionError, type ConversionItem } from './conversion-error.js';
import type { ConversionWarning } from './conversion-warning.js';
import { convertProject } from './convert-project.js';
import { parseSpots } from './deck/beam/read-spot-list.js';
import { createConversionReport } from './deck/conversion-report.js';
import { convertGeometry } from './deck/geometry/convert-geometry.js';
import { createMaterialTable } from './deck/material-table.js';
import { findSpecies, numberParticle, particleSchema } from './project/particle.js';
import { readProject } from './project/read-project.js';
import { upgradeLayout } from './project/upgrade/upgrade-layout.js';
import { upgradeProject } from './project/upgrade/upgrade-project.js';
import { createDeckDriver, type DriverChoice } from './registry.js';
import type { SimType } from './sim-type.js';

/** Something that is said of a project, and the simulators that say it. */
export interface Said<T> {
  readonly what: T;
  readonly simulators: readonly SimType[];
}

export interface ProjectCheck {
  /** Why it is refused: places are JSON pointers into the project. Every simulator is named where nobody takes the project. */
  readonly problems: readonly Said<ConversionItem>[];
  readonly warnings: readonly Said<ConversionWarning>[];
}

/** Checks a project as a submission would, for each of these simulators; each thing is said once. */
export function checkProject(json: unknown, drivers: readonly DriverChoice[]): ProjectCheck {
  const all = drivers.map(({ simType }) => simType);
  const problems = createSayings<ConversionItem>();
  const warnings = createSayings<ConversionWarning>();
  const hear = (act: () => void, simulators: readonly SimType[]): void => {
    try {
      act();
    } catch (err) {
      if (!(err instanceof ConversionError)) throw err;
      for (const item of err.items) problems.add(item, simulators);
    }
  };
  hear(() => {
    const project = readProject(json);
    for (const choice of drivers) {
      hear(() => {
        const converted = convertProject(createDeckDriver(choice), project, 'refuse');
        for (const warning of converted.warnings) warnings.add(warning, [choice.simType]);
      }, [choice.simType]);
    }
  }, all);
  return { problems: problems.list(), warnings: warnings.list() };
}

function createSayings<T extends { readonly message: string }>() {
  const sayings = new Map<string, { what: T; simulators: SimType[] }>();
  return {
    add(what: T, simulators: readonly SimType[]): void {
      const known = sayings.get(JSON.stringify(what));
      if (known === undefined) sayings.set(JSON.stringify(what), { what, simulators: [...simulators] });
      else known.simulators.push(...simulators.filter((one) => !known.simulators.includes(one)));
    },
    list: (): readonly Said<T>[] => [...sayings.values()],
  };
}

/** A project of any version of the editor in the layout of today, which an editor shows; of today's, the project itself. */
export function openProject(json: unknown): unknown {
  const today = upgradeLayout(json);
  return JSON.stringify(json) === JSON.stringify(today) ? json : upgradeProject(today, () => undefined);
}

/** The geometry of a project as the engine has it. */
export interface LocatedZones {
  /** In the order of the engine's indexes, the world last; `material` is an index into `materials`. */
  readonly zones: readonly { readonly name: string; readonly material: number }[];
  readonly materials: readonly { readonly name: string; readonly icru: number }[];
  /** Index of the zone of a point, cm; −1 outside the world. */
  readonly locate: (x: number, y: number, z: number) => number;
}

/**
 * Finds zones in a project by the engine's own geometry.
 * @throws ConversionError where the project has no geometry
 */
export function locateZones(json: unknown): LocatedZones {
  const project = readProject(json);
  const report = createConversionReport();
  const table = createMaterialTable(project, report);
  const found = convertGeometry(project, table, report);
  if (found === undefined) throw new ConversionError('PROJECT_UNSUPPORTED', report.items);
  const materials = table.materials.map(({ name, icru }) => ({ name, icru }));
  const geometry: ProblemGeometry = { ...found, materials };
  const zones = [...found.zones, { name: 'World', material: found.world.material }];
  return {
    materials,
    zones: zones.map(({ name, material }) => ({ name, material })),
    locate: createZoneFinder(geometry),
  };
}

/** A line of a spot list: total kinetic energy MeV, places and standard deviations cm. */
export type SpotRow = ReturnType<typeof parseSpots>[number];

/** Reads a spot list for a particle as a submission would. */
export function readSpots(
  text: string,
  particle: unknown,
): {
  readonly spots: readonly SpotRow[];
  readonly faults: readonly { readonly line: number | undefined; readonly message: string }[];
} {
  const faults: { line: number | undefined; message: string }[] = [];
  const read = particleSchema.safeParse(numberParticle(particle, 'shieldhit'));
  const species = read.success ? findSpecies(read.data) : undefined;
  const source = {
    text,
    nucleons: Math.max(1, species?.a ?? 1),
    energySpreadMev: 0,
    divergenceMrad: { x: 0, y: 0 },
  };
  const spots = parseSpots(source, (message, line) => faults.push({ line, message }));
  return { spots, faults };
}

export { listMaterials };
