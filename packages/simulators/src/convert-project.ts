import { limitSteps, STEPS_MAX, spendSteps } from './deck/steps.js';
import type { Conversion, SimulatorDriver } from './driver.js';
import { type OnUnsupported, omitRefused, type QuantityNames } from './omission.js';
import { findUnused } from './project/find-unused.js';
import type { Project } from './project/project.js';

/** A conversion; what it leaves out is among the warnings ({@link isOmission}), unless the project omitted it before. */
export interface PartialConversion extends Conversion {
  /** The project as far as it was converted: any driver converts it to no more than that. */
  readonly project: Project;
}

/** A quantity of a project, by its places. */
interface PlacedQuantity extends QuantityNames {
  readonly path: string;
  /** Its own, its output's, its filter's and its detector's. */
  readonly places: readonly string[];
}

/**
 * A project as a deck, by choice without the quantities that the driver refuses: for their keyword, axes, medium, filter or
 * detector. What changes the transport is never left out, and a project that would score nothing is refused. What has no
 * effect, because nothing in the project uses it, is warned of ({@link findUnused}).
 * @throws ConversionError `PROJECT_TOO_LARGE` when that takes more than {@link STEPS_MAX} steps; `PROJECT_UNSUPPORTED`, with `omit` naming what cannot be left out
 */
export function convertProject(
  driver: Pick<SimulatorDriver, 'convert'>,
  project: Project,
  onUnsupported: OnUnsupported,
): PartialConversion {
  const conversion = limitSteps(STEPS_MAX, () => convertWithin(driver, project, onUnsupported));
  return { ...conversion, warnings: [...conversion.warnings, ...findUnused(project)] };
}

function convertWithin(
  driver: Pick<SimulatorDriver, 'convert'>,
  project: Project,
  onUnsupported: OnUnsupported,
): PartialConversion {
  if (onUnsupported === 'refuse') return { ...driver.convert(project), project };
  const { result, omissions } = omitRefused('PROJECT_UNSUPPORTED', {
    quantities: listQuantities(project),
    nameOf: (quantity) => quantity,
    placesOf: ({ places }) => places,
    placesAround: ({ path }) => listAncestors(path),
    attempt(left) {
      spendSteps(THING_STEPS * countThings(project));
      const omittedPaths = [...project.omitted, ...[...left].map(({ path }) => path)];
      const scored = { ...project, omitted: new Set(omittedPaths) };
      return { ...driver.convert(scored), project: scored };
    },
  });
  return { ...result, warnings: [...result.warnings, ...omissions] };
}

/** Steps of converting a figure, a zone or a quantity once more, without what it shares with others. */
const THING_STEPS = 5;

function countThings({ figureManager, zoneManager, scoringManager }: Project): number {
  const quantities = scoringManager.outputs.reduce((sum, output) => sum + output.quantities.length, 0);
  return figureManager.figures.length + zoneManager.zones.length + quantities;
}

/** The quantities that the project does not omit. */
function listQuantities({ scoringManager, detectorManager, omitted }: Project): PlacedQuantity[] {
  const { outputs, filters } = scoringManager;
  return outputs.flatMap((output, outputIndex) => {
    const outputPath = `/scoringManager/outputs/${outputIndex}`;
    const detector = detectorManager.detectors.findIndex(({ uuid }) => uuid === output.detectorUuid);
    return output.quantities.flatMap((quantity, index): PlacedQuantity[] => {
      const path = `${outputPath}/quantities/${index}`;
      const filter = filters.findIndex(({ uuid }) => uuid === quantity.filter);
      const used = [`/scoringManager/filters/${filter}`, `/detectorManager/detectors/${detector}`];
      const places = [path, outputPath, ...used];
      return omitted.has(path) ? [] : [{ output: output.name, quantity: quantity.name, path, places }];
    });
  });
}

/** A place and all that it is in, from the inside out. */
function listAncestors(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, depth) => parts.slice(0, parts.length - depth).join('/'));
}
