import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { CurvePlot, DrawPlot } from '../../domain/result/draw-curves.js';
import { FONT_FAMILY, plotSvg, WIDTH } from './plot-svg.js';

/** Of a picture for each of the drawing: sharp on a screen with two. */
const SCALE = 2;

let fonts: Promise<Uint8Array[]> | undefined;

/** Once, when the first picture is made: most copies never make one. */
function load(): Promise<Uint8Array[]> {
  fonts ??= (async () => {
    const { resolve } = createRequire(import.meta.url);
    const [wasm, font] = await Promise.all([
      readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')),
      readFile(resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
    ]);
    await initWasm(wasm);
    return [font];
  })();
  return fonts;
}

/** A PNG of curves, drawn by resvg from SVG, without a browser and without a font of the system. */
export const drawPlot: DrawPlot = async (plot: CurvePlot) => {
  const fontBuffers = await load();
  const drawing = new Resvg(plotSvg(plot), {
    font: { fontBuffers, defaultFontFamily: FONT_FAMILY, loadSystemFonts: false },
    fitTo: { mode: 'width', value: WIDTH * SCALE },
  });
  const image = drawing.render();
  const png = image.asPng();
  image.free();
  drawing.free();
  return png;
};
