import REGULAR from '@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf?url';
import BOLD from '@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf?url';
import type { jsPDF } from 'jspdf';
import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { TEXTS } from '../../texts.js';
import type { Format } from '../plot/chart.js';

/** A PostScript point, and an inch, in millimetres. */
const POINT_MM = 25.4 / 72;
const INCH_MM = 25.4;
/** Of most journals: letters of this size, in points, and a resolution for line art, per inch. */
export const PAPER_FONT_POINTS = 8;
const PNG_PER_INCH = 600;
/** Metric twins: files look the same where only one of them is installed; in PDF it is embedded. */
const FONT = 'Arimo';
const SVG = 'http://www.w3.org/2000/svg';
const FONT_FAMILY = `${FONT}, Helvetica, Arial, sans-serif`;

export const toPoints = (millimeters: number): number => millimeters / POINT_MM;

/** Of a figure on paper. @param widthMm - of a column */
export function paperFormat(widthMm: number, heightMm: number, hasLegend: boolean): Format {
  return {
    width: toPoints(widthMm),
    height: toPoints(heightMm),
    fontSize: PAPER_FONT_POINTS,
    lineWidth: 1,
    hasLegend,
    ink: '#000000',
    grid: 'none',
    fontFamily: FONT_FAMILY,
    letterWidth: 1,
  };
}

/** A drawing whose lengths are points, as an element of no page. */
function toElement(drawing: ReactElement): SVGSVGElement {
  const host = document.createElement('div');
  const root = createRoot(host);
  flushSync(() => root.render(drawing));
  const svg = host.querySelector('svg')?.cloneNode(true);
  root.unmount();
  if (!(svg instanceof SVGSVGElement)) throw new Error(TEXTS.results.noPicture);
  svg.removeAttribute('aria-hidden');
  return svg;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const sizeOf = (svg: SVGSVGElement): Size => ({
  width: Number(svg.getAttribute('width')),
  height: Number(svg.getAttribute('height')),
});

function asText(svg: SVGSVGElement, unit: 'mm' | 'px', factor: number): string {
  const { width, height } = sizeOf(svg);
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('width', `${Number((factor * width).toFixed(3))}${unit}`);
  copy.setAttribute('height', `${Number((factor * height).toFixed(3))}${unit}`);
  const background = document.createElementNS(SVG, 'rect');
  for (const [name, value] of Object.entries({ width, height, fill: '#ffffff' }))
    background.setAttribute(name, String(value));
  copy.prepend(background);
  return new XMLSerializer().serializeToString(copy);
}

/** A drawing as SVG of its size in millimetres, on white. */
export const drawingAsSvg = (drawing: ReactElement): string => asText(toElement(drawing), 'mm', POINT_MM);

/** A drawing as pixels, and how large they are to be printed. */
export async function drawingAsPng(drawing: ReactElement): Promise<Blob> {
  const svg = toElement(drawing);
  const image = new Image();
  // a picture of SVG knows no font of the page: it brings its own
  const fonts = await Promise.all([fontAsBase64(REGULAR), fontAsBase64(BOLD)]);
  const faces = fonts.map((font, i) => faceOf(i === 0 ? 400 : 700, `data:font/ttf;base64,${font}`)).join('');
  const style = document.createElementNS(SVG, 'style');
  style.textContent = faces;
  svg.prepend(style);
  image.src = URL.createObjectURL(new Blob([asText(svg, 'px', PNG_PER_INCH / 72)], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  URL.revokeObjectURL(image.src);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (blob === null) throw new Error(TEXTS.results.noPicture);
  return new Blob([withResolution(new Uint8Array(await blob.arrayBuffer()), PNG_PER_INCH)], { type: 'image/png' });
}

/** A PNG that says how many pixels an inch has: its pHYs chunk (PNG, 11.3.4.3) comes before the data. */
export function withResolution(png: Uint8Array<ArrayBuffer>, perInch: number): Uint8Array<ArrayBuffer> {
  const chunk = new DataView(new ArrayBuffer(21));
  const perMeter = Math.round((1000 * perInch) / INCH_MM);
  chunk.setUint32(0, 9);
  for (let i = 0; i < 4; i += 1) chunk.setUint8(4 + i, 'pHYs'.charCodeAt(i));
  chunk.setUint32(8, perMeter);
  chunk.setUint32(12, perMeter);
  chunk.setUint8(16, 1); // per metre
  chunk.setUint32(17, crc32(new Uint8Array(chunk.buffer, 4, 13)));
  const headEnd = 8 + 25; // signature and IHDR
  const whole = new Uint8Array(png.length + chunk.byteLength);
  whole.set(png.subarray(0, headEnd));
  whole.set(new Uint8Array(chunk.buffer), headEnd);
  whole.set(png.subarray(headEnd), headEnd + chunk.byteLength);
  return whole;
}

/** PNG, annex D. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A drawing as PDF of its size: lines as lines, and texts as texts in an embedded font. */
export async function drawingAsPdf(drawing: ReactElement, title: string): Promise<Blob> {
  const svg = toElement(drawing);
  const [{ jsPDF }, { svg2pdf }, regular, bold] = await Promise.all([
    import('jspdf'),
    import('svg2pdf.js'),
    fontAsBase64(REGULAR),
    fontAsBase64(BOLD),
    loadFigureFont(),
  ]);
  const { width, height } = sizeOf(svg);
  const pdf = new jsPDF({
    unit: 'pt',
    format: [width, height],
    orientation: width > height ? 'landscape' : 'portrait',
    compress: true,
    putOnlyUsedFonts: true,
  });
  embed(pdf, regular, 'normal');
  embed(pdf, bold, 'bold');
  pdf.setProperties({ title, creator: TEXTS.product });
  await svg2pdf(svg, pdf, { x: 0, y: 0, width, height });
  return pdf.output('blob');
}

const faceOf = (weight: number, url: string): string =>
  `@font-face { font-family: ${FONT}; font-weight: ${weight}; src: url("${url}") format("truetype"); }`;

let loading: Promise<unknown> | undefined;

/** Brings the font of figures into the page: what it shows, and what it measures for a PDF, is what a file has. */
export function loadFigureFont(): Promise<unknown> {
  loading ??= Promise.all(
    [
      [REGULAR, '400'],
      [BOLD, '700'],
    ].map(async ([url, weight]) => document.fonts.add(await new FontFace(FONT, `url(${url})`, { weight }).load())),
  );
  return loading;
}

function embed(pdf: jsPDF, base64: string, style: 'normal' | 'bold'): void {
  const file = `${FONT}-${style}.ttf`;
  pdf.addFileToVFS(file, base64);
  pdf.addFont(file, FONT, style);
}

async function fontAsBase64(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(TEXTS.results.noPicture);
  const bytes = new Uint8Array(await response.arrayBuffer());
  let text = '';
  for (let start = 0; start < bytes.length; start += 0x8000)
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  return btoa(text);
}
