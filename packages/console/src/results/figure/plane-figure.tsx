import { useCallback, useState } from 'react';
import type { Grid } from '../page-data.js';
import { type ColorRange, paint } from '../plot/plane-image.js';
import { layOutPlane, type PlaneChart } from '../plot/plane-layout.js';
import { PlaneSvg } from '../plot/plane-svg.js';
import { planeAsCsv } from './chart-csv.js';
import { FigureMenu, type Paper } from './figure-menu.js';
import type { FigureSource } from './figure-source.js';
import { planeAsRootJson } from './root-json.js';

interface PlaneFigureProps {
  readonly chart: PlaneChart;
  readonly source: FigureSource;
  /** In the names of files: what of the plane is shown. */
  readonly part?: string | undefined;
}

/** The bins of a plane as a picture, a pixel each, as a data address. */
async function pictureOf(grid: Grid, range: ColorRange): Promise<string> {
  const canvas = document.createElement('canvas');
  const [x, y] = grid.axes;
  [canvas.width, canvas.height] = [x?.centres.length ?? 1, y?.centres.length ?? 1];
  const context = canvas.getContext('2d');
  if (context !== null) await paint(context, grid, range, () => true);
  return canvas.toDataURL('image/png');
}

/** A plane as a figure for a paper: the bins are an image inside, everything else is lines and text. */
export function PlaneFigure({ chart, source, part }: PlaneFigureProps) {
  const [picture, setPicture] = useState<{ readonly of: PlaneChart; readonly image: string }>();
  const image = picture?.of.grid === chart.grid && picture.of.range === chart.range ? picture.image : undefined;
  const draw = useCallback(
    ({ title, format }: Paper) => {
      const titled = { ...chart, title };
      const layout = layOutPlane(titled, format);
      if (layout === undefined || image === undefined) return undefined;
      return <PlaneSvg chart={titled} layout={layout} format={format} image={image} />;
    },
    [chart, image],
  );
  const open = async () => {
    if (image === undefined) setPicture({ of: chart, image: await pictureOf(chart.grid, chart.range) });
  };
  return (
    <FigureMenu
      name={source.nameOf(...(part === undefined ? [] : [part]))}
      title={source.title}
      aspect={0.8}
      hasLegend={false}
      draw={draw}
      onOpen={() => void open()}
      toCsv={() => planeAsCsv(chart.grid, chart.zoom, source.about)}
      toRootJson={() => planeAsRootJson(chart.grid)}
    />
  );
}
