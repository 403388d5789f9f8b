import { Alert, Card, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type PageRef, pageQuery } from '../api/queries.js';
import { figure } from '../format.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { TEXTS } from '../texts.js';
import { CurveView } from './curve-view.js';
import { dimensionsOf } from './overlays.js';
import { type Grid, toGrid } from './page-data.js';
import { PlaneWithOther } from './plane-with-other.js';
import { UnitChoice, useUnits } from './units.js';
import { VolumeView } from './volume-view.js';

const T = TEXTS.results;

interface PageViewProps {
  readonly own: PageRef;
  /** Bins of every axis. */
  readonly sizes: readonly number[];
  readonly nonFiniteCount: number | undefined;
}

/** A page as it is looked at best: a number, a curve, a plane, or slices of a volume. */
export function PageView({ own, sizes, nonFiniteCount }: PageViewProps) {
  return (
    <Stack gap="sm">
      {nonFiniteCount !== undefined && (
        <Alert color="orange" variant="light">
          {T.notFinite(nonFiniteCount)}
        </Alert>
      )}
      <Card withBorder>
        {dimensionsOf(sizes) > 2 ? <VolumeView own={own} sizes={sizes} /> : <WholePage own={own} sizes={sizes} />}
      </Card>
    </Stack>
  );
}

/** A page of two axes or less, which is read as a whole. */
function WholePage({ own, sizes }: Pick<PageViewProps, 'own' | 'sizes'>) {
  const page = useQuery(pageQuery(own));
  const { chosen } = useUnits();
  const grid = useMemo(() => (page.data ? toGrid(page.data, chosen) : undefined), [page.data, chosen]);
  if (page.isError) return <ProblemNotice error={page.error} onRetry={() => void page.refetch()} />;
  if (grid === undefined) return <Skeleton h={480} />;
  if (grid.axes.length === 0) return <Scalar grid={grid} />;
  return grid.axes.length === 1 ? (
    <CurveView own={own} grid={grid} readings={page.data?.readings ?? []} />
  ) : (
    <PlaneWithOther own={own} grid={grid} sizes={sizes} />
  );
}

function Scalar({ grid }: { readonly grid: Grid }) {
  const [error] = grid.errors;
  return (
    <Stack align="center" py="xl">
      <Text size="xl" fw={700}>
        {figure(grid.values[0] ?? 0, 6)}
        {error !== undefined && !Number.isNaN(error) && ` ± ${figure(error, 2)}`} {grid.unit}
      </Text>
      <Text c="dimmed">
        {grid.name}, {T.scalar}
      </Text>
      <UnitChoice unit={grid.unit} />
    </Stack>
  );
}
