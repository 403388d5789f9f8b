import { GrowingNumbers } from '../../output/growing-numbers.js';
import { momentsOfMeans, type NativeAxis, type NativePage } from '../../output/native-page.js';
import type { TextReader } from '../../output/text-reader.js';
import type { ScorerHead } from './read-scorer-head.js';
import type { ScorerContext } from './scorer-context.js';

const COLUMNS = 3;

/**
 * Reads a histogram of volumes over a quantity (dose-volume histogram), whose rows are number of the bin, its lower
 * limit and the fraction of cells. It is one of what the task scored in all, so that those of tasks do not add.
 * @throws OutputError `UNREADABLE`
 */
export function readVolumeHistogram(
  reader: TextReader,
  { item, quantity, unit, volumeHistogram = '' }: ScorerHead,
  { file, primaries, report }: ScorerContext,
): NativePage {
  const [limits, fractions] = [new GrowingNumbers(), new GrowingNumbers()];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const cells = line.split(',', COLUMNS + 1);
    if (cells.length !== COLUMNS) reader.fail(`has ${cells.length} columns, not ${COLUMNS}: bin, lower limit, value`);
    if (reader.count(cells[0]) !== limits.length) reader.fail(`is not bin ${limits.length}, which comes next`);
    limits.push(reader.number(cells[1]));
    fractions.push(reader.number(cells[2]));
  }
  if (limits.length === 0) reader.fail('ends the head, and no bin follows');
  report.warn('OUTPUT_ASSUMED', reader.fileName, 'a volume histogram is of one task each; shown is their average');
  return {
    file,
    item: `${item} volume histogram`,
    title: `${quantity} ${volumeHistogram} volume histogram`,
    kind: 'average',
    unit: '1',
    namesAxes: true,
    isPerPrimary: false,
    axes: [limitAxis(quantity, unit, limits.toArray())],
    differentialAxes: 1,
    isIntegrated: false,
    moments: momentsOfMeans(fractions.toArray(), primaries),
  };
}

/** Bins of equal width from their lower limits; a single one has no known width. */
function limitAxis(name: string, unit: string, limits: Float64Array): NativeAxis {
  const [first = 0, second = first] = limits;
  const bins = limits.length;
  return { name, unit: unit || '1', lower: first, upper: first + bins * (second - first), bins, isLog: false };
}
