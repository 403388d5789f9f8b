// pdf.js makes a matrix of the browser's when it is loaded, for a canvas that nothing here draws on
Object.assign(globalThis, { DOMMatrix: Object });

/** A text of a page, and the size of its letters in points. */
export interface PdfText {
  readonly text: string;
  readonly size: number;
}

/** What the only page of a PDF has; lengths in points. */
export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PdfText[];
  /** Names of embedded fonts. */
  readonly fonts: readonly string[];
  readonly imageCount: number;
}

/** Reads a PDF as a viewer does. */
export async function readPdf(bytes: Uint8Array): Promise<PdfPage> {
  const { getDocument, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 });
  const document = await task.promise;
  const page = await document.getPage(1);
  const [, , width = 0, height = 0] = page.view;
  const { items } = await page.getTextContent();
  const operators = await page.getOperatorList();
  const named = operators.fnArray.flatMap((operator, i) => {
    const id: unknown = operator === OPS.setFont ? operators.argsArray[i]?.[0] : undefined;
    return typeof id === 'string' ? [id] : [];
  });
  const fonts = [...new Set(named)].map((id) => String((page.commonObjs.get(id) as { name?: string }).name));
  const images = operators.fnArray.filter((operator) => operator === OPS.paintImageXObject);
  const texts = items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [a = 0, b = 0] = item.transform as number[];
    return [{ text: item.str, size: Math.hypot(a, b) }];
  });
  await task.destroy();
  return { width, height, texts, fonts, imageCount: images.length };
}
