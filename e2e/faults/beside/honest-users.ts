import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { workspaceRoot } from '@tally/testkit';
import { exampleProject } from '../../fixtures/suite-fixture.js';
import { shareProcessors } from './share-processors.js';

export const PHASES = ['quiet', 'loaded'] as const;
export type Phase = (typeof PHASES)[number];

/** A request of an honest user. */
export interface AskedRequest {
  readonly phase: Phase;
  /** `GET /auth/status` */
  readonly route: string;
  /** 0: no answer. */
  readonly status: number;
  readonly ms: number;
  /** Body of an answer that is no success; else empty. */
  readonly detail: string;
}

type Row = [phase: Phase, route: string, status: number, ms: number, detail: string];

const PRIMARIES = 100;

/** Users with accounts of their own who watch jobs on the direct platform as the console does, each once a second. */
export class HonestUsers {
  private constructor(private readonly program: ChildProcess) {}

  /** Resolves when each has a job that has ended. */
  static async enter(gatewayUrl: string, count: number): Promise<HonestUsers> {
    const file = path.join(workspaceRoot(), 'e2e/faults/beside/honest-users-program.mjs');
    const options = { gatewayUrl, count, project: exampleProject('proton-150mev-water', PRIMARIES) };
    // in a session of its own: a user never waits for a processor of the services
    const program = fork(file, [JSON.stringify(options)], { detached: true, execArgv: [] });
    await toldBy(program);
    if (program.pid !== undefined && process.getuid?.() === 0) shareProcessors(program.pid, -10);
    return new HonestUsers(program);
  }

  /** From now on they poll in this phase. */
  begin(phase: Phase): void {
    this.program.send(phase);
  }

  /** They stop, and delete their jobs; resolves to all that they asked. */
  async end(): Promise<AskedRequest[]> {
    const told = toldBy(this.program);
    this.program.send('end');
    const rows = (await told) as Row[];
    return rows.map(([phase, route, status, ms, detail]) => ({ phase, route, status, ms, detail }));
  }

  /** Safe to repeat. */
  stop(): void {
    this.program.kill();
  }
}

/** What it says next. @throws Error if it ends before */
async function toldBy(program: ChildProcess): Promise<unknown> {
  const heard = new AbortController();
  const { signal } = heard;
  const ended = once(program, 'disconnect', { signal }).then(() => {
    throw new Error('the honest users have ended');
  });
  try {
    const [message] = (await Promise.race([once(program, 'message', { signal }), ended])) as [unknown];
    return message;
  } finally {
    heard.abort();
    await ended.catch(() => {});
  }
}
