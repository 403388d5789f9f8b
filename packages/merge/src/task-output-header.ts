import { isWarning, WARNINGS_MAX } from './join-warnings.js';
import { MergeError } from './merge-error.js';
import { BYTES_PER_NUMBER } from './number-bytes.js';
import { countBins } from './page-moments.js';
import {
  type Axis,
  MOMENTS,
  type OutputWarning,
  type PageHeader,
  type PageKind,
  type TaskOutput,
} from './task-output.js';

/** A task output without its arrays: the JSON part of the file. */
export interface TaskOutputHeader extends Omit<TaskOutput, 'pages'> {
  readonly pages: readonly PageHeader[];
  /** Behind the arrays of all pages, their remainders follow. */
  readonly hasRemainders?: boolean;
}

/**
 * Types the JSON part of a task output. Strict: what it lets through keeps every promise of {@link TaskOutputHeader}.
 * Pages are unique by estimator name and page number, every axis has a bin, every number is finite.
 * @throws MergeError `MALFORMED`, naming the place
 */
export function parseTaskOutputHeader(json: unknown): TaskOutputHeader {
  const fields = readObject(json, 'header');
  const primaries = readInteger(fields.primaries, 'primaries', 0);
  const batches = readInteger(fields.batches, 'batches', primaries === 0 ? 0 : 1);
  const pages = readArray(fields.pages, 'pages').map((page, index) => parseTaskPageHeader(page, `pages[${index}]`));
  checkUniquePages(pages);
  return {
    primaries,
    batches,
    engine: readString(fields.engine, 'engine'),
    counters: readCounters(fields.counters),
    ...(fields.warnings === undefined ? {} : { warnings: readWarnings(fields.warnings) }),
    ...(fields.hasRemainders === true ? { hasRemainders: true } : {}),
    pages,
  };
}

function parseTaskPageHeader(json: unknown, place: string): PageHeader {
  const page = parsePageHeader(json, place);
  if (page.kind === 'list' && page.recordCount === undefined) throw malformed(place, 'does not count its records');
  return page;
}

/**
 * Types the header of a page; that of a list may be one of no certain task.
 * @throws MergeError `MALFORMED`, naming the place
 */
export function parsePageHeader(json: unknown, place: string): PageHeader {
  const fields = readObject(json, place);
  const page = {
    estimatorName: readString(fields.estimatorName, `${place}.estimatorName`),
    fileName: readString(fields.fileName, `${place}.fileName`),
    pageNumber: readInteger(fields.pageNumber, `${place}.pageNumber`, 0),
    pageName: readString(fields.pageName, `${place}.pageName`),
    kind: readKind(fields.kind, `${place}.kind`),
    unit: readString(fields.unit, `${place}.unit`),
    scale: readFinite(fields.scale, `${place}.scale`),
    axes: readArray(fields.axes, `${place}.axes`).map((axis, index) => readAxis(axis, `${place}.axes[${index}]`)),
  };
  if (page.kind === 'list' && page.axes.length !== 1) throw malformed(place, 'is a list without columns');
  if (fields.recordCount === undefined) return page;
  if (page.kind !== 'list') throw malformed(place, 'has records and is no list');
  const list = { ...page, recordCount: readInteger(fields.recordCount, `${place}.recordCount`, 0) };
  if (!Number.isSafeInteger(countBins(list) * BYTES_PER_NUMBER)) throw malformed(place, 'has too many records');
  return list;
}

function readAxis(json: unknown, place: string): Axis {
  const fields = readObject(json, place);
  return {
    name: readString(fields.name, `${place}.name`),
    unit: readString(fields.unit, `${place}.unit`),
    centers: readCenters(fields.centers, place),
  };
}

function readCenters(json: unknown, place: string): readonly number[] {
  const centers = readArray(json, `${place}.centers`);
  if (centers.length === 0) throw malformed(place, 'has no bins');
  if (centers.every((center): center is number => Number.isFinite(center))) return centers;
  throw malformed(`${place}.centers`, 'are not finite numbers');
}

function readCounters(json: unknown): Record<string, number> {
  const fields = readObject(json, 'counters');
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readFinite(value, 'counters')]));
}

function readWarnings(json: unknown): OutputWarning[] {
  const warnings = readArray(json, 'warnings').map((warning, index) => {
    const place = `warnings[${index}]`;
    const { code, message } = readObject(warning, place);
    const read = { code: readString(code, place), message: readString(message, place) };
    if (!isWarning(read)) throw malformed(place, 'is not a code and a line of text');
    return read;
  });
  if (warnings.length > WARNINGS_MAX) throw malformed('warnings', `are more than ${WARNINGS_MAX}`);
  return warnings;
}

function checkUniquePages(pages: readonly PageHeader[]): void {
  const seen = new Set<string>();
  for (const page of pages) {
    const key = JSON.stringify([page.estimatorName, page.pageNumber]);
    if (seen.has(key)) throw malformed('pages', `page ${page.pageNumber} of "${page.estimatorName}" occurs twice`);
    seen.add(key);
  }
}

function readKind(json: unknown, place: string): PageKind {
  const kind = Object.keys(MOMENTS).find((name): name is PageKind => name === json);
  if (kind === undefined) throw malformed(place, 'is not a page kind');
  return kind;
}

function readObject(json: unknown, place: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw malformed(place, 'is not an object');
  return json as Record<string, unknown>;
}

function readArray(json: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(json)) throw malformed(place, 'is not a list');
  return json;
}

function readString(json: unknown, place: string): string {
  if (typeof json !== 'string') throw malformed(place, 'is not text');
  return json;
}

function readFinite(json: unknown, place: string): number {
  if (typeof json !== 'number' || !Number.isFinite(json)) throw malformed(place, 'is not a finite number');
  return json;
}

function readInteger(json: unknown, place: string, minimum: number): number {
  if (typeof json !== 'number' || !Number.isSafeInteger(json) || json < minimum) {
    throw malformed(place, `is not an integer of at least ${minimum}`);
  }
  return json;
}

function malformed(place: string, problem: string): MergeError {
  return new MergeError('MALFORMED', `task output: ${place} ${problem}`);
}
