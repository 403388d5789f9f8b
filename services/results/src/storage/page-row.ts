import { z } from 'zod';
import type { PageSummary } from '../domain/page.js';
import type { PageSelection } from '../domain/selection.js';
import { Prisma } from '../generated/prisma/client.js';

/** Columns that the tables of pages share. */
export const PAGE_COLUMNS = Prisma.raw('estimator_index, estimator_name, page_number, page_name, sizes');
export const pageRow = z.object({
  estimator_index: z.number(),
  estimator_name: z.string(),
  page_number: z.number(),
  page_name: z.string(),
  sizes: z.array(z.number()),
});

/** Row → page. */
export function readPageRow(row: z.output<typeof pageRow>): PageSummary {
  return {
    estimatorIndex: row.estimator_index,
    estimatorName: row.estimator_name,
    pageNumber: row.page_number,
    pageName: row.page_name,
    sizes: row.sizes,
  };
}

/** Condition for the pages of a selection, by the columns of {@link PAGE_COLUMNS}; ranges are compared, not expanded. */
export function isSelected({ estimatorName, ranges }: PageSelection): Prisma.Sql {
  const ofEstimator = estimatorName === undefined ? Prisma.sql`true` : Prisma.sql`estimator_name = ${estimatorName}`;
  if (ranges.length === 0) return ofEstimator;
  const firsts = ranges.map(({ first }) => first);
  const lasts = ranges.map(({ last }) => last);
  return Prisma.sql`${ofEstimator} AND EXISTS (
    SELECT 1 FROM unnest(${firsts}::int[], ${lasts}::int[]) AS range (first, last)
    WHERE page_number BETWEEN range.first AND range.last)`;
}
