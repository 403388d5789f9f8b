import { figure } from '../../format.js';
import { type Axis, axisTitle, edgesOf, type Grid } from '../page-data.js';
import { type ColorRange, colorsOf, LEGEND_SHARES, paint, ticks, valueAt } from './plane-image.js';

const SIZE = { width: 1200, height: 800 };
/** Of the picture between its axes. */
const BOX = { left: 100, top: 24, width: 930, height: 690 };
const LEGEND = { left: 1060, width: 24 };
const TICK = 8;
const FONT = 'font-family="Helvetica, Arial, sans-serif" font-size="20" fill="#222222"';

const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly turned?: boolean;
}

const text = (x: number, y: number, words: string, { anchor = 'middle', turned = false }: TextOptions = {}): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" dominant-baseline="central"${turned ? ` transform="rotate(-90 ${x} ${y})"` : ''}>${escape(words)}</text>`;

/** Ticks of an axis as shares of its length. */
function ticksOf(axis: Axis, count: number): { readonly share: number; readonly words: string }[] {
  const edges = edgesOf(axis);
  const [low, high] = [edges[0] ?? 0, edges.at(-1) ?? 1];
  return ticks(low, high, count).map((at) => ({ share: (at - low) / (high - low), words: String(at) }));
}

/** A plane's drawing as SVG, on white, for a paper: the bins as an image inside, everything else as lines and text. */
export async function planeAsSvg(grid: Grid, range: ColorRange): Promise<string> {
  const canvas = document.createElement('canvas');
  const [x, y] = grid.axes;
  [canvas.width, canvas.height] = [x?.centres.length ?? 1, y?.centres.length ?? 1];
  const context = canvas.getContext('2d');
  if (context !== null) await paint(context, grid, range, () => true);
  return x === undefined || y === undefined ? '' : drawing(x, y, grid, range, canvas.toDataURL('image/png'));
}

/** @param image - of the bins, a pixel each, as a data address */
export function drawing(x: Axis, y: Axis, grid: Grid, range: ColorRange, image: string): string {
  const { left, top, width, height } = BOX;
  const bottom = top + height;
  const below = ticksOf(x, 8).map(({ share, words }) => {
    const at = left + share * width;
    return `<path d="M${at} ${bottom}v${TICK}"/>${text(at, bottom + 24, words)}`;
  });
  const beside = ticksOf(y, 7).map(({ share, words }) => {
    const at = bottom - share * height;
    return `<path d="M${left} ${at}h${-TICK}"/>${text(left - 14, at, words, { anchor: 'end' })}`;
  });
  const colors = colorsOf(range);
  const stops = colors.map((color, i) => `<stop offset="${i / (colors.length - 1)}" stop-color="${color}"/>`);
  const legend = LEGEND_SHARES.map((share) =>
    text(LEGEND.left + LEGEND.width + 8, bottom - share * height, figure(valueAt(share, range), 3), {
      anchor: 'start',
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}" viewBox="0 0 ${SIZE.width} ${SIZE.height}">
<defs><linearGradient id="scale" x1="0" y1="1" x2="0" y2="0">${stops.join('')}</linearGradient></defs>
<rect width="100%" height="100%" fill="#ffffff"/>
<image href="${image}" x="${left}" y="${top}" width="${width}" height="${height}" preserveAspectRatio="none" style="image-rendering:pixelated"/>
<rect x="${LEGEND.left}" y="${top}" width="${LEGEND.width}" height="${height}" fill="url(#scale)"/>
<g fill="none" stroke="#222222"><rect x="${left}" y="${top}" width="${width}" height="${height}"/></g>
<g ${FONT} stroke-width="1"><g stroke="none">
${text(left + width / 2, bottom + 56, axisTitle(x))}
${text(26, top + height / 2, axisTitle(y), { turned: true })}
${text(SIZE.width - 18, top + height / 2, `${grid.name} / ${grid.unit}`, { turned: true })}
${legend.join('')}
</g>
<g>${[...below, ...beside].join('\n').replaceAll('<path', '<path stroke="#222222"')}</g></g>
</svg>`;
}
