import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CollectedSpan, SERVICES, type ServiceName, startTraceCollector, waitFor } from '@tally/testkit';
import { ended, exampleProject, startTestSuite, type TestSuite } from './fixtures/suite-fixture.js';

const collector = await startTraceCollector((line) => process.stderr.write(`${line}\n`));
const withCollector = collector === undefined ? describe.skip : describe;

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT_SPAN = '00f067aa0ba902b7';

withCollector('a job that a client traces', () => {
  let suite: TestSuite;
  beforeAll(async () => {
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector?.endpoint ?? '', OTEL_BSP_SCHEDULE_DELAY: '200' };
    const env = Object.fromEntries(SERVICES.map((service) => [service, traced])) as Record<ServiceName, typeof traced>;
    suite = await startTestSuite({ env });
  }, 180_000);
  afterAll(async () => {
    await suite?.stop();
    await collector?.stop();
  });

  it('is one trace, from its request over the queue to the simulator and the merge', async () => {
    const user = await suite.newUser();
    const project = exampleProject('proton-150mev-water', 300);
    const answer = await user.send<{ job_id: string }>('POST', '/jobs/direct', {
      body: { ntasks: 2, sim_type: 'simA', input_type: 'editor', sim_data: project },
      headers: { traceparent: `00-${TRACE_ID}-${CLIENT_SPAN}-01` },
    });
    const jobId = answer.body.job_id;
    await ended(user, jobId);
    const ofTrace = () => (collector?.spans() ?? []).filter(({ traceId }) => traceId === TRACE_ID);
    const named = (name: string) => ofTrace().filter((span) => span.name === name);
    const isMerging = ({ name, kind }: CollectedSpan) => name.endsWith('/MergeOutputs') && kind === 'Server';
    const byId = (spans: readonly CollectedSpan[]) => new Map(spans.map((span) => [span.spanId, span]));
    const topsOf = (spans: readonly CollectedSpan[]) => {
      const known = byId(spans);
      return spans.filter(({ parentId }) => !known.has(parentId));
    };
    // each service sends its spans when its own timer says so
    const whole = () => {
      const spans = ofTrace();
      return named('merge').length > 0 && spans.some(isMerging) && topsOf(spans).length === 1 && spans;
    };
    const what = 'the spans of the merge, and those above every other';
    const spans = await waitFor(whole, { what });

    const known = byId(spans);
    const above = ({ parentId }: CollectedSpan) => known.get(parentId);
    expect(new Set(spans.map(({ service }) => service))).toEqual(
      new Set(['gateway', 'jobs', 'results', 'direct-runner']),
    );
    const [request] = spans.filter(({ service, kind }) => service === 'gateway' && kind === 'Server');
    expect(request).toMatchObject({ name: 'POST', parentId: CLIENT_SPAN });
    expect(request?.attributes.get('http.route')).toBe('/jobs/direct');
    expect(request?.attributes.get('job_id')).toBe(jobId);
    // every other span hangs on another one, and so at last on the request
    expect(topsOf(spans)).toEqual([request]);

    const tasks = named('task');
    expect(new Set(tasks.map(({ attributes }) => attributes.get('task_id')))).toEqual(new Set(['1', '2']));
    expect(tasks).toHaveLength(2);
    for (const task of tasks) {
      expect(above(task)).toMatchObject({ name: 'send direct.tasks', kind: 'Producer', service: 'jobs' });
      expect(named('simulator').filter(({ parentId }) => parentId === task.spanId)).toHaveLength(1);
    }
    const [merge] = named('merge');
    expect(merge?.service).toBe('jobs');
    expect(merge && above(merge)).toMatchObject({ kind: 'Server', service: 'jobs' });
    const merging = spans.filter(isMerging);
    expect(merging.map(({ service }) => service)).toEqual(['results']);
    expect(merging[0]?.attributes.get('job_id')).toBe(jobId);
  });
});
