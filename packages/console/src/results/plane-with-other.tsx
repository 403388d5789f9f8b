import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { comparisonQuery, type PageRef, pageQuery } from '../api/queries.js';
import { TEXTS } from '../texts.js';
import { Comparison } from './comparison.js';
import { useFigureSource } from './figure/figure-source.js';
import { OverlayChoice } from './overlay-choice.js';
import { type Grid, toGrid } from './page-data.js';
import { PlaneView } from './plane-view.js';
import { PlaneRanges } from './readings.js';
import { useUnits } from './units.js';
import { useGamma } from './use-gamma.js';
import { useHistories } from './use-histories.js';
import { useOverlays } from './use-overlays.js';

interface PlaneWithOtherProps {
  readonly own: PageRef;
  readonly grid: Grid;
  /** Bins of every axis of the page. */
  readonly sizes: readonly number[];
}

/** A plane, and another one to compare it with. */
export function PlaneWithOther({ own, grid, sizes }: PlaneWithOtherProps) {
  const overlays = useOverlays(own, 2);
  const gamma = useGamma(true);
  const histories = useHistories(own);
  const source = useFigureSource(own, grid.name);
  const { chosen } = useUnits();
  const [ref] = overlays.refs;
  const { data } = useQuery({ ...pageQuery(ref ?? own), enabled: ref !== undefined });
  const isCompared = ref !== undefined && overlays.isSame(ref);
  const compared = useQuery({ ...comparisonQuery(own, (ref ?? own).jobId, gamma.settled), enabled: isCompared });
  const map = isCompared ? compared.data?.gamma_map : undefined;
  const label = ref === undefined ? '' : overlays.labelOf(ref);
  const other = useMemo(() => {
    if (ref === undefined || !data) return undefined;
    const nothing = new Float64Array();
    return {
      label,
      grid: toGrid(data, chosen),
      gamma: map && { ...grid, values: map.values, errors: nothing, unit: '', name: TEXTS.results.gammaName },
    };
  }, [ref, data, label, map, grid, chosen]);
  return (
    <Stack>
      <PlaneView grid={grid} label={overlays.ownLabel} source={source} other={other} histories={histories} />
      <PlaneRanges
        planes={[{ ref: own, label: overlays.ownLabel }, ...(ref ? [{ ref, label }] : [])]}
        grid={grid}
        sizes={sizes}
      />
      <OverlayChoice overlays={overlays} isSingle />
      <Comparison own={own} overlays={overlays} gamma={gamma} />
    </Stack>
  );
}
