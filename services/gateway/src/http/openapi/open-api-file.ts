import { tagOf } from '../respond.js';
import type { OpenApiDocument } from './document.js';

/** The document as it is sent. */
export interface OpenApiFile {
  readonly text: string;
  /** Strong validator, unquoted. */
  readonly tag: string;
}

/** Writes the document once; it does not change while the gateway runs. */
export function toOpenApiFile(document: OpenApiDocument): OpenApiFile {
  const text = JSON.stringify(document);
  return { text, tag: tagOf(text) };
}
