import { serveThread } from '@tally/service-kit';
import type { CurvePlot } from '../../domain/result/draw-curves.js';
import { drawPlot } from './draw-plot.js';

serveThread(async (plot: CurvePlot) => {
  const value = new Uint8Array(await drawPlot(plot));
  return { value, transfer: [value.buffer] };
});
