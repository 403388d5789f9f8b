import type { Axis, PageHeader } from '@tally/merge';

import type { Detector, Modifier, Output, Quantity, TransportProblem } from '../problem/problem.js';
import { MAP_UNITS, MODIFIER_UNITS, type QuantityRule, SCORED_QUANTITIES } from '../problem/quantity.js';

/** Bin borders of one axis of a page. */
interface Bins {
  readonly name: string;
  readonly unit: string;
  readonly borders: Float64Array;
  readonly log: boolean;
  /** Width of each bin of a linear axis. */
  readonly width: number;
}

/** Factors of a linear page: bin i of the first axis and bin d of the differential axes together take first[i] · differential[d]. */
export interface LinearFactors {
  readonly first: Float64Array;
  readonly spatialBins: number;
  readonly differential: Float64Array;
}

/** A page as the engine makes it. */
export interface PageLayout {
  readonly header: PageHeader;
  /** From the raw sums to the page's unit; ratios and maps need none. */
  readonly factors?: LinearFactors;
  readonly bins: number;
  readonly detector: Detector;
}

function linearBins(name: string, unit: string, lower: number, upper: number, count: number): Bins {
  const borders = Float64Array.from({ length: count + 1 }, (_, i) => lower + ((upper - lower) * i) / count);
  return { name, unit, borders, log: false, width: (upper - lower) / count };
}

/** The detector's own axes, in the order of the module's bins. */
export function spatialBins(detector: Detector): Bins[] {
  switch (detector.type) {
    case 'mesh':
      return (['x', 'y', 'z'] as const).map((name, i) => {
        const center = detector.centerCm[i] ?? 0;
        const half = (detector.sizeCm[i] ?? 0) / 2;
        return linearBins(name, 'cm', center - half, center + half, detector.segments[i] ?? 1);
      });
    case 'cylinder': {
      const z = detector.centerCm[2];
      const half = detector.depthCm / 2;
      return [
        linearBins('r', 'cm', detector.innerRadiusCm, detector.radiusCm, detector.radialSegments),
        linearBins('z', 'cm', z - half, z + half, detector.zSegments),
      ];
    }
    case 'zone':
    case 'all':
      return [];
  }
}

function modifierBins({ type, lower, upper, bins, log }: Modifier): Bins {
  const unit = MODIFIER_UNITS.get(type) ?? '1';
  if (!log) return linearBins(type, unit, lower, upper, bins);
  const borders = Float64Array.from({ length: bins + 1 }, (_, i) => lower * (upper / lower) ** (i / bins));
  return { name: type, unit, borders, log: true, width: Number.NaN };
}

/** Bin centres; geometric ones on a logarithmic axis. */
export function binCenters({ borders, log }: Bins): number[] {
  return Array.from({ length: borders.length - 1 }, (_, i) => {
    const low = borders[i] ?? 0;
    const high = borders[i + 1] ?? 0;
    return log ? Math.sqrt(low * high) : (low + high) / 2;
  });
}

function width(bins: Bins, i: number): number {
  // of a linear axis the same to the last bit: the engine is faster where the factor is the same in all bins
  return bins.log ? (bins.borders[i + 1] ?? 0) - (bins.borders[i] ?? 0) : bins.width;
}

/** Volume of a spatial bin by the first axis' number, cm³; 1 where there is no volume. */
function binVolumes(detector: Detector, spatial: readonly Bins[]): (first: number) => number {
  const [first, ...others] = spatial;
  if (first === undefined) return () => 1;
  const rest = others.reduce((product, bins) => product * width(bins, 0), 1);
  if (detector.type !== 'cylinder') return (i) => rest * width(first, i);
  return (i) => {
    const inner = first.borders[i] ?? 0;
    const outer = first.borders[i + 1] ?? 0;
    return Math.PI * (outer * outer - inner * inner) * rest;
  };
}

function linearFactors(
  rule: QuantityRule,
  detector: Detector,
  spatial: readonly Bins[],
  differential: readonly Bins[],
): LinearFactors {
  const size = (bins: Bins) => bins.borders.length - 1;
  const first = spatial[0] === undefined ? 1 : size(spatial[0]);
  const volume = rule.perVolume ? binVolumes(detector, spatial) : () => 1;
  const total = differential.reduce((product, axis) => product * size(axis), 1);
  return {
    first: Float64Array.from({ length: first }, (_, i) => rule.factor / volume(i)),
    spatialBins: spatial.reduce((product, axis) => product * size(axis), 1),
    differential: Float64Array.from({ length: total }, (_, bin) => {
      let factor = 1;
      let rest = bin;
      for (const axis of differential) {
        factor /= width(axis, rest % size(axis));
        rest = Math.floor(rest / size(axis));
      }
      return factor;
    }),
  };
}

function unitOf(rule: QuantityRule, detector: Detector, differential: readonly Bins[]): string {
  const unit = detector.type === 'mesh' || detector.type === 'cylinder' ? rule.unit : rule.regionUnit;
  if (rule.kind === 'ratio') return unit;
  return differential.reduce((text, axis) => (axis.unit === '1' ? text : `${text}/(${axis.unit})`), unit);
}

/** Axes that a page shows: detector axes of more than one bin, and every differential axis. */
function shownAxes(spatial: readonly Bins[], differential: readonly Bins[]): Axis[] {
  return [...spatial.filter(({ borders }) => borders.length > 2), ...differential].map((bins) => ({
    name: bins.name,
    unit: bins.unit,
    centers: binCenters(bins),
  }));
}

function pageLayout(output: Output, quantity: Quantity, number: number, detector: Detector): PageLayout {
  const spatial = spatialBins(detector);
  const differential = quantity.modifiers.map(modifierBins);
  const rule = SCORED_QUANTITIES.get(quantity.keyword);
  const axes = shownAxes(spatial, differential);
  const bins = axes.reduce((product, { centers }) => product * centers.length, 1);
  const header = {
    estimatorName: output.name,
    fileName: output.name,
    pageNumber: number,
    pageName: quantity.name,
    axes,
  };
  if (rule === undefined) {
    const unit = MAP_UNITS.get(quantity.keyword) ?? '1';
    return { header: { ...header, kind: 'map', unit, scale: 1 }, bins, detector };
  }
  const unit = unitOf(rule, detector, differential);
  const scale = rule.kind === 'linear' ? quantity.scale : 1;
  const factors = rule.kind === 'linear' ? linearFactors(rule, detector, spatial, differential) : undefined;
  return { header: { ...header, kind: rule.kind, unit, scale }, factors, bins, detector };
}

/** The pages of a valid problem, in the order of its outputs. */
export function layoutPages(problem: TransportProblem): PageLayout[] {
  return problem.outputs.flatMap((output) =>
    output.quantities.map((quantity, i) => {
      const detector = problem.detectors[output.detector];
      if (detector === undefined) throw new Error(`Output ${output.name} has no detector.`);
      return pageLayout(output, quantity, i + 1, detector);
    }),
  );
}
