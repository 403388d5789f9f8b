import { inUnit } from '@tally/merge';
import type { NumberPage, Numbers } from './number-page.js';

/** A page in another unit, where its values can be told in it; as it is otherwise. */
export function pageInUnit(page: NumberPage, unit: string | undefined): NumberPage {
  const wanted = unit === undefined ? undefined : inUnit(page.unit, unit);
  return wanted === undefined ? page : { ...scalePage(page, wanted.factor), unit: wanted.unit };
}

/** A page with all of its values and errors times a factor. */
export function scalePage(page: NumberPage, factor: number): NumberPage {
  const { batches } = page;
  return {
    ...page,
    values: () => scaled(page.values(), factor),
    errors: () => scaled(page.errors(), factor),
    ...(batches === undefined ? {} : { batches: async () => scaleBatches(await batches(), factor) }),
  };
}

async function* scaled(pieces: AsyncIterable<Numbers>, factor: number): AsyncGenerator<Numbers> {
  for await (const piece of pieces) {
    for (let index = 0; index < piece.length; index += 1) piece[index] = (piece[index] ?? 0) * factor;
    yield piece;
  }
}

type Batches = Awaited<ReturnType<NonNullable<NumberPage['batches']>>>;

function scaleBatches(batches: Batches, factor: number): Batches {
  return batches?.map(({ share, values }) => ({ share, values: Float64Array.from(values, (value) => value * factor) }));
}
