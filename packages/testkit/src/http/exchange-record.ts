import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '../workspace-root.js';

/** That a test got this status from this operation. */
export interface ExchangeRecord {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly status: number;
  /** File of the test, from the root of the workspace. */
  readonly file: string;
  readonly test: string;
}

/** Folder that exchanges are recorded into while `pnpm test:contract:http` runs; else nothing is recorded. */
const FOLDER_VARIABLE = 'TALLY_EXCHANGE_FOLDER';

interface RunningTest {
  readonly currentTestName?: string;
  readonly testPath?: string;
}

/** The running test as jest knows it. */
function runningTest(): RunningTest {
  const { expect } = globalThis as { readonly expect?: { getState(): RunningTest } };
  return expect?.getState() ?? {};
}

const recorded = new Set<string>();

/** Notes which test got which answer; the first time in a test only. */
export function recordExchange({
  method,
  path: target,
  status,
}: Pick<ExchangeRecord, 'method' | 'path' | 'status'>): void {
  const folder = process.env[FOLDER_VARIABLE];
  const { currentTestName: test = '', testPath = '' } = runningTest();
  if (folder === undefined || test === '') return;
  const record: ExchangeRecord = { method, path: target, status, file: path.relative(workspaceRoot(), testPath), test };
  const line = JSON.stringify(record);
  if (recorded.has(line)) return;
  recorded.add(line);
  mkdirSync(folder, { recursive: true });
  appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${line}\n`);
}
