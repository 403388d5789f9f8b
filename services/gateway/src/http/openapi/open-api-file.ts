import { tagOf } from '../answer/respond.js';
import type { OpenApiFile } from '../route.js';
import type { OpenApiDocument } from './document.js';

/** Writes the document once; it does not change while the gateway runs. */
export function toOpenApiFile(document: OpenApiDocument): OpenApiFile {
  const text = JSON.stringify(document);
  return { text, tag: tagOf(text) };
}
