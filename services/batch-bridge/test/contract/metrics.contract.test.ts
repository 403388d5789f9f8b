import { expect, it } from '@jest/globals';
import { compareMetricRecording, freePort, waitFor } from '@tally/testkit';
import { useEnvironment } from '../environment.js';

const environment = useEnvironment();

/** Values of the endpoint, by `name{label="value",…}` without the service. */
function readMetrics(text: string): ReadonlyMap<string, number> {
  const rows = text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value] = /^(tally_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const own = labels.split(',').filter((label) => !label.startsWith('service='));
    return value === undefined ? [] : [[`${name}{${own.join(',')}}`, Number(value)] as const];
  });
  return new Map(rows);
}

it('shows what was done on clusters, what waits there, and whether they answer', async () => {
  const port = await freePort();
  environment.setCredential();
  const closed = environment.settings({ name: 'closed', port: 1 });
  const copy = await environment.start({
    clusters: [environment.settings(), closed],
    metricsAddress: `127.0.0.1:${port}`,
    folderKeepHours: 24,
  });
  const jobId = environment.newJob(2);
  expect(await copy.submit(jobId)).toMatchObject({ $case: 'submitted' });
  await waitFor(() => !environment.services.job(jobId).isOpen, { what: 'the end of the job', timeoutMs: 120_000 });
  const text = await waitFor(
    async () => {
      const found = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return readMetrics(found).get('tally_submissions{cluster="test",phase="ended"}') === 1 && found;
    },
    { what: 'the counts' },
  );
  const values = readMetrics(text);
  expect(values.get('tally_ssh_connections_total{cluster="test",outcome="ok"}')).toBe(1);
  expect(values.get('tally_ssh_connections_open{cluster="test"}')).toBe(1);
  expect(values.get('tally_cluster_commands_total{cluster="test",command="sbatch",outcome="ok"}')).toBe(2);
  expect(values.get('tally_cluster_commands_total{cluster="test",command="squeue",outcome="ok"}')).toBeGreaterThan(0);
  expect(values.get('tally_cluster_rounds_total{cluster="test"}')).toBeGreaterThan(0);
  expect(values.get('tally_cluster_bytes_total{cluster="test",direction="upload"}')).toBeGreaterThan(100);
  expect(values.get('tally_cluster_available{cluster="test",reason=""}')).toBe(1);
  expect(values.get('tally_cluster_available{cluster="closed",reason="CLUSTER_UNREACHABLE"}')).toBe(0);
  expect([...values.keys()].some((key) => key.startsWith('tally_poll_age_seconds'))).toBe(false); // nothing is polled
  expect(compareMetricRecording('batch-bridge', text)).toEqual([]);
});
