import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandsOf, workspaceRoot } from '@tally/testkit';
import { ended, startTestSuite, type TestSuite } from '../fixtures/suite-fixture.js';

const root = workspaceRoot();
const SERVICES = ['auth', 'batch-bridge', 'direct-runner', 'gateway', 'jobs', 'results'];

/**
 * Commands of the pages for operators that need no cluster of their own, in a folder like a clone. docker notes what it is asked, kubectl has no Secrets
 * and keeps what is applied, and runs commands in a container of auth here; helm renders the chart. tools/kubernetes runs the others in a cluster.
 */
describe('commands of the pages for operators', () => {
  let suite: TestSuite;
  let folder: string;
  let shell: (script: string) => Promise<string>;
  const kept = (name: string) => readFileSync(path.join(folder, name), 'utf8');

  beforeAll(async () => {
    suite = await startTestSuite({ env: { auth: { AUTH_OPERATORS: 'root,operator' } } });
    folder = path.join(suite.directory, 'clone');
    const bin = path.join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['k8s', 'tools', 'examples', 'docker', 'services', 'deploy', '.git', 'package.json'])
      symlinkSync(path.join(root, name), path.join(folder, name));
    const program = (name: string, text: string) => {
      writeFileSync(path.join(bin, name), text);
      chmodSync(path.join(bin, name), 0o755);
    };
    program('docker', `#!/bin/sh\nprintf '%s\\n' "$*" >> ${folder}/docker.log\n`);
    program('kubectl', KUBECTL(folder));
    writeFileSync(path.join(folder, 'helm.mjs'), HELM);
    program('helm', `#!/bin/sh\nexec node ${folder}/helm.mjs "$@"\n`);
    const env = {
      ...process.env,
      PATH: [bin, path.dirname(process.execPath), process.env.PATH].join(':'),
      AUTH_DATABASE_URL: suite.databases.auth,
      AUTH_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    shell = async (script) => {
      const run = promisify(execFile);
      return (await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })).stdout;
    };
  });
  afterAll(() => suite?.stop());

  it('build and push an image of each service', async () => {
    await shell(commandsOf('operators-guide.md', 'Images'));
    const asked = kept('docker.log').trim().split('\n');
    for (const service of SERVICES) {
      const tag = `registry.example.org/tally/${service}:`;
      expect(asked.filter((line) => line.startsWith('build ') && line.includes(tag))).toHaveLength(1);
      expect(asked.filter((line) => line.startsWith(`push ${tag}`))).toHaveLength(1);
    }
  });

  it('make the Secrets of a trial and render its chart with the images', async () => {
    await shell(commandsOf('operators-guide.md', 'Trial'));
    const { items } = JSON.parse(kept('applied.json')) as {
      items: { metadata: { name: string }; stringData: Record<string, string> }[];
    };
    const names = items.map(({ metadata }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(SERVICES.map((service) => `tally-${service}`)));
    const rendered = kept('rendered.yaml');
    for (const service of SERVICES) expect(rendered).toContain(`registry.example.org/tally/${service}:`);
    expect(rendered).toContain('name: tally-trial-postgresql');
    expect(kept('kubectl.log')).toContain('port-forward service/tally-gateway 8080:8080');
  });

  it('register, log in, and run the first job', async () => {
    const commands = commandsOf('operators-guide.md', 'First job');
    const here = commands.replace('url=http://127.0.0.1:8080', `url=${suite.gatewayUrl}`);
    expect(here).not.toBe(commands);
    const said = await shell(here);
    const [, jobId = ''] = /"job_id":"([^"]+)"/.exec(said) ?? [];
    expect(said).toContain(`"job_state"`);
    const ada = suite.newSession();
    await ada.request('POST', '/auth/login', { body: { username: 'ada', password: 'correct horse' } });
    expect((await ended(ada, jobId, 280_000)).job_state).toBe('COMPLETED');
  }, 300_000);

  it('make the account of an operator', async () => {
    writeFileSync(path.join(folder, 'password.txt'), 'correct horse battery\n');
    await shell(commandsOf('administration.md', 'Who is an operator'));
    const session = suite.newSession();
    await session.request('POST', '/auth/login', { body: { username: 'root', password: 'correct horse battery' } });
    expect(await session.request('GET', '/auth/status')).toMatchObject({ username: 'root', role: 'operator' });
  });
});

const KUBECTL = (folder: string) => `#!/bin/bash
printf '%s\\n' "$*" >> ${folder}/kubectl.log
case "$*" in
  *'get secrets -o json') echo '{"items":[]}' ;;
  *'apply -f -') cat > ${folder}/applied.json ;;
  *'exec -i deploy/tally-auth -- '*)
    while [ "$1" != -- ]; do shift; done; shift
    cd ${root}/services/auth && exec "$@" ;;
  *'rollout status'*|*'port-forward'*) ;;
  *) echo "kubectl does not know $*" >&2; exit 64 ;;
esac
`;

/** `install`: as `template`, to a file. */
const HELM = `const { helm } = await import('${root}/tools/k8s/helm.mjs');
const { writeFileSync } = await import('node:fs');
const [, , command, ...args] = process.argv;
if (command !== 'install') process.exit(64);
const { status, stdout, stderr } = helm(['template', ...args.map((arg) => arg.replace(/^k8s\\//, '/k8s/'))]);
writeFileSync('rendered.yaml', stdout);
process.stderr.write(stderr);
process.exit(status);
`;
