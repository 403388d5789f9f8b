import type { ConversionReport } from '../../deck/conversion-report.js';
import { createNameTable, type NameTable } from '../../deck/name-table.js';
import type { ScoredQuantity } from '../../deck/scoring/list-outputs.js';
import { convertFilter } from './convert-filter.js';

/** Names of meshes, scorers, filters and histograms: words of a macro and parts of file names. */
const NAME_RULES = { forbidden: /[^A-Za-z0-9_]+/g, lengthMax: 60, fallback: 'score', ignoresCase: true };

/** Options of a scorer after its name: unit, for track lengths after three switches (weight, energy, velocity). */
const SCORER_OPTIONS: Readonly<Record<Scorer, string>> = {
  doseDeposit: 'Gy',
  energyDeposit: 'MeV',
  cellFlux: 'percm2',
  trackLength: 'true false false cm',
};

export type Scorer = 'doseDeposit' | 'energyDeposit' | 'cellFlux' | 'trackLength';

/** Where the simulator scores: a mesh, a probe or the volume of a zone, shared by all that is scored there. */
export interface ScorePlace {
  /** The same for the same place. */
  readonly key: string;
  /** What to call it, or, of a volume, what it is called. */
  readonly name: string;
  readonly isVolume: boolean;
  /** Commands that open it under the name it got. */
  open(name: string): readonly string[];
}

/** A macro's scoring commands while they grow. */
export interface ScoreBlocks {
  /** Adds a scorer with its filter; the names of the place and of the scorer, by which they are known from then on. */
  addScorer(
    place: ScorePlace,
    scored: ScoredQuantity,
    scorer: Scorer,
  ): { readonly block: string; readonly item: string };
  claimHistogram(scored: ScoredQuantity): string;
  /** Every place with its scorers, in the order in which they came. */
  lines(): string[];
}

interface ScoreBlock {
  readonly name: string;
  readonly lines: string[];
  readonly names: NameTable;
}

/** @param volumeNames names that places other than volumes must not have */
export function createScoreBlocks(volumeNames: readonly string[], report: ConversionReport): ScoreBlocks {
  const blocks = new Map<string, ScoreBlock>();
  const blockNames = createNameTable(NAME_RULES, volumeNames);
  const histogramNames = createNameTable(NAME_RULES);
  const filterNames = createNameTable(NAME_RULES);

  const findBlock = (place: ScorePlace): ScoreBlock => {
    const known = blocks.get(place.key);
    if (known !== undefined) return known;
    const name = place.isVolume ? place.name : blockNames.claim(place.key, place.name);
    const block = { name, lines: [...place.open(name)], names: createNameTable(NAME_RULES) };
    blocks.set(place.key, block);
    return block;
  };

  return {
    addScorer(place, scored, scorer) {
      const block = findBlock(place);
      const item = block.names.claim(scored.path, scored.quantity.name);
      block.lines.push(`/score/quantity/${scorer} ${item} ${SCORER_OPTIONS[scorer]}`);
      if (scored.filter !== undefined) {
        const { filter, path } = scored.filter;
        const line = convertFilter(filter, filterNames.claim(scored.path, filter.name), path, report);
        if (line !== undefined) block.lines.push(line);
      }
      return { block: block.name, item };
    },
    claimHistogram: ({ quantity, path }) => histogramNames.claim(path, `${quantity.name}_differential`),
    lines: () => [...blocks.values()].flatMap(({ lines }) => [...lines, '/score/close']),
  };
}
