import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TemplateParameter } from '@tally/client';
import type { Environment } from '../config-file.js';
import { EXIT, UserError } from '../exit-codes.js';

export type Value = number | string | boolean;

/** What a sweep changes: a parameter of its template, or a place of its project. */
export interface SweepColumn {
  readonly kind: 'param' | 'set';
  readonly name: string;
  /** Empty: not known, or without. */
  readonly unit: string;
}

/** All that a sweep needs to go on after its command has ended. */
export interface SweepPlan {
  readonly label: string;
  /** Of the service. */
  readonly url: string;
  readonly title: string;
  readonly columns: readonly SweepColumn[];
  /** The project before anything is changed; `parameters` are those of its template. */
  readonly project: Readonly<Record<string, unknown>>;
  readonly parameters: readonly TemplateParameter[];
  /** Options of the command that say how jobs run. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Of each job, in the order of the columns. */
  readonly rows: readonly (readonly Value[])[];
  /** Begins the idempotency key of each job: none is made twice. */
  readonly key: string;
}

/** A sweep with the jobs that have been submitted, by their rows. */
export interface SweepRecord extends SweepPlan {
  readonly jobs: Map<number, string>;
}

const LABEL = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Where sweeps are kept: XDG Base Directory Specification 0.8. */
function folderOf(env: Environment): string {
  const base = env.XDG_STATE_HOME ?? path.join(env.HOME ?? os.homedir(), '.local/state');
  return path.join(base, 'tally/sweeps');
}

function fileOf(env: Environment, label: string): string {
  if (!LABEL.test(label)) throw new UserError(`a label has letters, digits, "-", "_" and ".", at most 64: ${label}`);
  return path.join(folderOf(env), `${label}.jsonl`);
}

/** Labels of sweeps that can be attached, the newest first. */
export function listSweeps(env: Environment): string[] {
  const folder = folderOf(env);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ label: name.slice(0, -'.jsonl'.length), time: fs.statSync(path.join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.time - a.time)
    .map(({ label }) => label);
}

/** Keeps a new sweep, before its first job is sent. @throws UserError when there is one of this label */
export function createSweep(env: Environment, plan: SweepPlan): SweepRecord {
  const file = fileOf(env, plan.label);
  if (fs.existsSync(file))
    throw new UserError(`there is a sweep ${plan.label}: "tally sweep --attach ${plan.label}" goes on with it`);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, `${JSON.stringify(plan)}\n`, { mode: 0o600, flag: 'wx' });
  return { ...plan, jobs: new Map() };
}

/** Keeps the id of a job as soon as it is known. */
export function addJob(env: Environment, record: SweepRecord, row: number, jobId: string): void {
  record.jobs.set(row, jobId);
  fs.appendFileSync(fileOf(env, record.label), `${JSON.stringify({ row, job_id: jobId })}\n`);
}

/** @throws UserError when there is none of this label */
export function readSweep(env: Environment, label: string): SweepRecord {
  const file = fileOf(env, label);
  if (!fs.existsSync(file)) {
    const known = listSweeps(env).slice(0, 10).join(', ');
    throw new UserError(
      `there is no sweep ${label}; there ${known === '' ? 'are none' : `are ${known}`}`,
      EXIT.notFound,
    );
  }
  const [head = '', ...lines] = fs.readFileSync(file, 'utf8').split('\n');
  try {
    const plan = JSON.parse(head) as SweepPlan;
    const jobs = lines
      .filter((line) => line.endsWith('}')) // the last one may have been cut
      .map((line) => JSON.parse(line) as { readonly row: number; readonly job_id: string });
    return { ...plan, jobs: new Map(jobs.map(({ row, job_id: id }) => [row, id])) };
  } catch (err) {
    throw new UserError(`${file} is not a sweep: ${err instanceof Error ? err.message : String(err)}`);
  }
}
