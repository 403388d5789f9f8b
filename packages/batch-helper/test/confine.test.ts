import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { decodeTaskOutput } from '@tally/merge';
import { hasBubblewrap } from '@tally/testkit';
import { useFixture } from './fixture.js';
import { runHelper } from './helper-process.js';
import { UPDATE_KEY } from './job-fixture.js';

/* A simulator that does what a user's deck could make one do, on a node whose other files are the same user's. */

const fixture = useFixture();
const PULL = { gateway: null, taskCount: 1 };
const run = (folder: string) => runHelper(['run', '--folder', folder, '--task', '1']);
/** A simulator that runs a shell script. */
const hostile = (script: string) => ({
  executable: '/bin/sh',
  args: ['-c', `${script}; exit 1`, 'sh'],
  env: {},
  version: '1',
});
const SCRIPT = `
  cat "$(dirname "$(dirname "$(dirname "$PWD")")")/update.key" && echo "read the key"
  echo mine > "$(dirname "$PWD")/forged"
  echo mine > /var/tmp/tally-forged && echo "wrote elsewhere"
  ls -d /proc/[0-9]* | wc -l | awk '$1 > 10 { print "sees processes" }'
  echo done > own && echo "wrote into its folder"`;

(hasBubblewrap() ? describe : describe.skip)('a simulator on a node with bubblewrap', () => {
  it('neither reads the update key, nor writes outside of its folder, nor sees other processes', async () => {
    const simulator = hostile(SCRIPT);
    const job = await fixture().createJob({ ...PULL, simType: 'simD', simulator, confinement: { kind: 'auto' } });
    await run(job.folder);
    const log = job.text(1, 'log');
    expect(log).toContain('confinement: bubblewrap\n');
    expect(log).not.toContain(UPDATE_KEY);
    expect(log.match(/^(?:read|wrote|sees) .*$/gm)).toEqual(['wrote into its folder']);
    expect(job.names(1)).toEqual(['end.json', 'log', 'progress.json']); // and nothing that it has put there
    expect(job.end(1)).toMatchObject({ taskState: 'FAILED', failure: expect.stringMatching(/^SIMULATOR_/) });
  });

  it('does not see the folders of jobs, though they lie below a path that it may read', async () => {
    const simulator = hostile(SCRIPT);
    const confinement = { kind: 'auto', readOnlyPaths: ['/tmp', '/var'] } as const;
    const job = await fixture().createJob({ ...PULL, simType: 'simD', simulator, confinement });
    await run(job.folder);
    expect(job.text(1, 'log').match(/^(?:read|wrote|sees) .*$/gm)).toEqual(['wrote into its folder']);
  });

  it('gives the same values bit for bit as one that nothing confines', async () => {
    const outputs = [];
    for (const kind of ['none', 'auto'] as const) {
      const job = await fixture().createJob({ ...PULL, confinement: { kind } });
      expect(await run(job.folder)).toMatchObject({ exitCode: 0 });
      expect(job.text(1, 'log')).toContain(`confinement: ${kind === 'none' ? 'none' : 'bubblewrap'}`);
      outputs.push(decodeTaskOutput(readFileSync(job.path('tasks/1/output.bin'))).pages);
    }
    expect(outputs[1]).toEqual(outputs[0]);
  });
});

describe('a simulator that nothing confines', () => {
  it('can do what its user can: that is what the test above would notice', async () => {
    const simulator = hostile(SCRIPT);
    const job = await fixture().createJob({ ...PULL, simType: 'simD', simulator, confinement: { kind: 'none' } });
    await run(job.folder);
    const log = job.text(1, 'log');
    expect(log).toContain("confinement: none, as the cluster's settings say\n");
    expect(log).toContain('read the key');
    expect(log).toContain('wrote elsewhere');
    expect(job.names(1)).toContain('forged');
    rmSync('/var/tmp/tally-forged');
  });
});

describe('a simulator that the site wraps', () => {
  it('is started by the wrapper, which is told the folder, and not by bubblewrap as well', async () => {
    const simulator = hostile('echo started');
    const script = 'echo "wrapped in $1: $2"; shift; exec "$@"';
    const wrapper = ['/bin/sh', '-c', script, 'sh', '{folder}'];
    const job = await fixture().createJob({
      ...PULL,
      simType: 'simD',
      simulator,
      confinement: { kind: 'auto', wrapper },
    });
    await run(job.folder);
    const log = job.text(1, 'log');
    expect(log).toContain("confinement: by sh, as the cluster's settings say\n");
    expect(log).toMatch(/^wrapped in \.: \/bin\/sh$/m); // its folder is not shown to users
    expect(log).toContain('started\n');
  });
});
