import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tally/testkit';
import { SERVERS } from './answer-campaign.js';
import type { AnswerReport } from './answer-run.js';
import { type BesideReport, HONEST_USERS } from './beside/beside-run.js';
import type { FaultReport } from './fault-run.js';
import type { JobRecord } from './job-load.js';
import { quantile } from './quantile.js';
import type { ScenarioReport } from './scenarios.js';

const FILE = path.join(workspaceRoot(), 'docs/reliability.md');
const FAULTS = ['<!-- faults: written by `pnpm test:faults` -->', '<!-- /faults -->'] as const;
const SCENARIOS = ['<!-- scenarios: written by `pnpm test:faults --scenarios` -->', '<!-- /scenarios -->'] as const;
const ANSWERS = ['<!-- answers: written by `pnpm test:faults --answers` -->', '<!-- /answers -->'] as const;
const BESIDE = ['<!-- beside: written by `pnpm test:faults --beside` -->', '<!-- /beside -->'] as const;

const seconds = (ms: number): string => (ms / 1_000).toFixed(ms < 100 ? 2 : 1);

/** Replaces what the documentation says of the last long run, unless that had more faults than this one: then it is printed. */
export function writeReport(report: FaultReport): void {
  const described = describeReport(report);
  const [, known = '0'] = /, (\d+) faults of/.exec(readPart(FAULTS)) ?? [];
  if (report.faults.length >= Number(known)) replacePart(FAULTS, described);
  else process.stdout.write(`${described}docs/reliability.md keeps a longer run, of ${known} faults\n`);
}

/** Replaces the table of scenarios. */
export function writeScenarios(reports: readonly ScenarioReport[]): void {
  replacePart(SCENARIOS, describeScenarios(reports));
}

/** Replaces what is said of the last run with answers. */
export function writeAnswers({ options, answers, jobs, signIns, violations }: AnswerReport): void {
  const { jobs: jobsMin, answers: answersMin, seed, atOnce } = options;
  const rows = SERVERS.map((server) => {
    const given = answers.filter((answer) => answer.server === server);
    const names = [...new Set(given.map(({ kind }) => kind))].toSorted();
    const kinds = names.map((name) => `${name} (${given.filter(({ kind }) => kind === name).length})`);
    return `| ${server} | ${given.length} | ${kinds.join('; ')} |`;
  });
  replacePart(
    ANSWERS,
    `
Last run: \`pnpm test:faults --answers --jobs ${jobsMin} --faults ${answersMin} --seed ${seed}\`, ${atOnce} jobs at once. ${jobs.length} jobs (${endsOf(jobs)}) and ${signIns} sign-ins,
${answers.length} answers, **${violations.length} violations**.

| Who answers | Answers | Kinds |
|---|---|---|
${rows.join('\n')}
${violations.map((what) => `\n- ${what}`).join('')}
`,
  );
}

/** Replaces what is said of the last run beside honest users, unless that was longer: then it is kept. */
export function writeBeside(report: BesideReport): void {
  const [, known = '0'] = /--seconds (\d+)/.exec(readPart(BESIDE)) ?? [];
  if (report.options.seconds >= Number(known)) replacePart(BESIDE, describeBeside(report));
}

export function describeBeside({ options, honest, awkward, answers, jobs, signIns, violations }: BesideReport): string {
  const rows = honest.phases.map(({ phase, countByStatus, measuredCount, p50Ms, p99Ms }) => {
    const counts = [...countByStatus].map(([status, count]) => `${count} × ${status}`).join(', ');
    return `| ${phase} | ${counts} | ${measuredCount} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} |`;
  });
  return `
Last run: \`pnpm test:faults --beside --seconds ${options.seconds} --seed ${options.seed}\`, ${HONEST_USERS} honest users, ${options.atOnce} jobs of the campaign at once. ${answers.length} answers,
${awkward.length} awkward requests, ${jobs.length} jobs (${endsOf(jobs)}) and ${signIns} sign-ins of the campaign. The loaded p99 is **${honest.ratio.toFixed(1)} times** the
quiet one; **${violations.length} violations**.

| Phase | Answers to honest users, by status | \`GET /auth/status\` | p50 (ms) | p99 (ms) |
|---|---|---|---|---|
${rows.join('\n')}
${violations.map((what) => `\n- ${what}`).join('')}
`;
}

/** `17 COMPLETED, 3 CANCELED` */
function endsOf(jobs: readonly JobRecord[]): string {
  const states = [...new Set(jobs.map(({ state }) => state))].toSorted();
  return states.map((state) => `${jobs.filter((job) => job.state === state).length} ${state}`).join(', ');
}

function readPart(marks: readonly [string, string]): string {
  const text = readFileSync(FILE, 'utf8');
  return text.slice(...boundsOf(text, marks));
}

function replacePart(marks: readonly [string, string], part: string): void {
  const text = readFileSync(FILE, 'utf8');
  const [start, end] = boundsOf(text, marks);
  writeFileSync(FILE, `${text.slice(0, start)}\n${part}${text.slice(end)}`);
}

/** Where what lies between two marks begins and ends. */
function boundsOf(text: string, [from, to]: readonly [string, string]): [start: number, end: number] {
  const [start, end] = [text.indexOf(from) + from.length, text.indexOf(to)];
  if (end < start) throw new Error(`${FILE} has no place for the report`);
  return [start, end];
}

const LINKS: Readonly<Record<ScenarioReport['scenario']['link']['kind'], string>> = {
  up: '–',
  cut: 'cut',
  'half-open': 'half-open',
  delayed: '+250 ms there and back',
  lossy: '5 % lost and sent again',
};

function describeScenarios(reports: readonly ScenarioReport[]): string {
  const rows = reports.map(({ scenario: { name, jobs, tasks, link }, totalMs, runMs, mergeMs, storeMs }) => {
    const stages = [runMs, mergeMs, storeMs].flatMap((times) =>
      [0.5, 0.95].map((share) => (times.length === 0 ? '–' : seconds(quantile(times, share)))),
    );
    const cells = [name, `${jobs} × ${tasks}`, LINKS[link.kind], seconds(totalMs), ...stages];
    return `| ${cells.join(' | ')} |`;
  });
  return `
| | Jobs × tasks | Every way | All (s) | Run, p50 (s) | p95 | Merge, p50 (s) | p95 | Store, p50 (s) | p95 |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

`;
}

function describeReport({ options, faults, jobs, violations, msToLastEnd }: FaultReport): string {
  const kinds = [...new Set(faults.map(({ kind }) => kind))].toSorted();
  const rows = kinds.map((kind) => {
    const of = faults.filter((fault) => fault.kind === kind);
    const recoveries = of.map(({ recoveryMs }) => recoveryMs);
    const phases = [...new Set(of.map(({ phase }) => phase))].toSorted().join(', ');
    return `| ${kind} | ${of.length} | ${phases} | ${seconds(quantile(recoveries, 0.5))} | ${seconds(Math.max(...recoveries))} |`;
  });
  const all = faults.map(({ recoveryMs }) => recoveryMs);
  return `
Last long run: \`pnpm test:faults --jobs ${options.jobs} --faults ${options.faults} --seed ${options.seed}${options.hasCluster ? ' --cluster' : ''}\`, ${options.copies} copies of each service, ${options.atOnce} jobs at once.
${jobs.length} jobs (${endsOf(jobs)}), ${faults.length} faults of ${kinds.length} kinds, **${violations.length} violations**. Recovery, from the mending of
a fault until a request through gateway and jobs is answered: median ${seconds(quantile(all, 0.5))} s, worst ${seconds(Math.max(...all))} s. The last job had ended
${seconds(msToLastEnd)} s after the last fault was mended.

| Fault | Times | When a job was | Recovery, median (s) | worst (s) |
|---|---|---|---|---|
${rows.join('\n')}
${violations.map((what) => `\n- ${what}`).join('')}
`;
}
