// What has to happen for each alert to fire, beside a suite that is well: series of the recordings with other values.
// `firing` is everything that must fire then, and nothing else may.

/** Values once a minute, in promtool's notation: starting at a, growing by b. */
const steady = (value) => `${value}x150`;
const growing = (perMinute) => `0+${perMinute}x150`;

const calls = (job, labels, values) => ({ job, name: 'tally_calls_seconds_count', labels, values });
const ofJobs = (name, labels, value) => ({ job: 'jobs', name, labels, values: steady(value) });
const pending = ofJobs('tally_tasks_open', { state: 'PENDING' }, 3);
const slots = (busy) => [
  { job: 'direct-runner', name: 'tally_runner_slots', labels: {}, values: steady(2) },
  { job: 'direct-runner', name: 'tally_runner_slots_busy', labels: {}, values: steady(busy) },
];
const buckets = (job, labels, fast, all) =>
  ['0.005', '0.02', '0.1', '0.5', '2', '10', '+Inf'].map((le) => ({
    job,
    name: 'tally_calls_seconds_bucket',
    labels: { ...labels, le },
    values: growing(Number(le) >= 10 || le === '+Inf' ? all : fast),
  }));
const jobsCall = { method: '/jobs.v1.JobsService/GetJob', status: 'OK', kind: 'call' };
const page = (status) => ({ method: 'GET /jobs', status, kind: 'call' });

/** Series that no recording holds, with the reason. */
export const NOT_RECORDED = new Map([
  ['kube_job_failed', 'kube-state-metrics'],
  ['tally_poll_age_seconds', 'only while a job is on a cluster'],
  ['tally_duties_repeated', 'only while results or batch-bridge does not answer'],
]);

/** Runners of a version that is recorded have gone, and another version has come. */
const runnersAfterAnUpgrade = ['11.2', '11.3'].map((version, i) =>
  ofJobs('tally_runners', { simulator: 'simC', version }, i),
);

/** `gone`: what is not there, `{job}` all of a service or `{name}` a metric. */
export const ALERT_CASES = [
  { name: 'a suite that is well', firing: [] },
  { name: 'the pods of auth are gone', gone: [{ job: 'auth' }], firing: ['TallyServiceDown'] },
  {
    name: 'the pods of results do not answer',
    given: [{ job: 'results', name: 'up', labels: {}, values: steady(0) }],
    firing: ['TallyServiceDown'],
  },
  {
    name: 'jobs cannot read its database',
    gone: [{ name: 'tally_tasks_open' }],
    firing: ['TallyTasksNotCounted'],
  },
  { name: 'jobs has no broker', gone: [{ name: 'tally_queue_messages' }], firing: ['TallyBrokerUnreachable'] },
  {
    name: 'three of a hundred requests fail',
    given: [calls('gateway', page('200'), growing(97)), calls('gateway', page('503'), growing(3))],
    firing: ['TallyCallsFail'],
  },
  {
    name: 'three of a hundred streams fail',
    given: [
      calls('results', { method: '/results.v1.ResultsService/GetResults', status: 'OK', kind: 'stream' }, growing(97)),
      calls(
        'results',
        { method: '/results.v1.ResultsService/GetResults', status: 'INTERNAL', kind: 'stream' },
        growing(3),
      ),
    ],
    firing: ['TallyCallsFail'],
  },
  {
    name: '/readyz says that something is not ready, and clients ask for what is not offered',
    given: [
      calls('gateway', page('200'), growing(10)),
      calls('gateway', page('501'), growing(10)),
      calls('gateway', { method: 'GET /readyz', status: '503', kind: 'call' }, growing(60)),
    ],
    firing: [],
  },
  { name: 'calls take long', given: buckets('jobs', jobsCall, 90, 100), firing: ['TallyCallsSlow'] },
  {
    name: 'streams, merges and submissions to clusters take long',
    given: [
      ...buckets('jobs', { ...jobsCall, kind: 'stream' }, 0, 100),
      ...buckets('results', { ...jobsCall, method: '/results.v1.ResultsService/MergeOutputs' }, 0, 100),
      ...buckets('batch-bridge', jobsCall, 0, 100),
      ...buckets('gateway', { ...jobsCall, method: 'POST /jobs/batch', status: '202' }, 0, 100),
    ],
    firing: [],
  },
  {
    name: 'an event loop is blocked',
    given: [{ job: 'gateway', name: 'nodejs_eventloop_lag_p99_seconds', labels: {}, values: steady(0.8) }],
    firing: ['TallyEventLoopBlocked'],
  },
  {
    name: 'work waits for database connections',
    given: [ofJobs('tally_database_connections', { state: 'waiting' }, 4)],
    firing: ['TallyDatabaseConnectionsShort'],
  },
  { name: 'tasks wait beside idle runners', given: [pending, ...slots(0)], firing: ['TallyTasksNotStarted'] },
  {
    name: 'tasks wait and there is no runner',
    given: [pending],
    gone: [{ job: 'direct-runner' }],
    firing: ['TallyTasksNotStarted'],
  },
  { name: 'tasks wait and all runners are busy', given: [pending, ...slots(2)], firing: [] },
  {
    name: 'tasks wait and others are started',
    given: [
      pending,
      ...slots(1),
      { ...ofJobs('tally_task_queue_seconds_count', { platform: 'direct' }, 0), values: growing(30) },
    ],
    firing: [],
  },
  {
    name: 'a task has waited for hours',
    given: [ofJobs('tally_task_oldest_pending_seconds', {}, 7200)],
    firing: ['TallyTasksWait'],
  },
  {
    name: 'tasks wait for a version of a simulator that has gone',
    given: [ofJobs('tally_tasks_parked', { simulator: 'simC', version: '11.2' }, 3), ...runnersAfterAnUpgrade],
    firing: ['TallySimulatorMissing'],
  },
  {
    name: 'tasks wait for their turn on runners that have their simulator',
    given: [ofJobs('tally_tasks_parked', { simulator: 'simC', version: '' }, 3), ...runnersAfterAnUpgrade],
    firing: [],
  },
  {
    name: 'runners have two versions of a simulator',
    given: ['11.2', '11.3'].map((version) => ofJobs('tally_runners', { simulator: 'simC', version }, 1)),
    firing: ['TallySimulatorVersionsDiffer'],
  },
  {
    name: 'runners have one version of a simulator, after another one',
    given: runnersAfterAnUpgrade,
    firing: [],
  },
  {
    name: 'messages stay in jobs',
    given: [ofJobs('tally_outbox_messages', { place: 'jobs' }, 5)],
    gone: [{ name: 'tally_outbox_messages' }],
    firing: ['TallyMessagesNotPublished'],
  },
  {
    name: 'messages wait for room in the queue',
    given: ['jobs', 'queue'].map((place) => ofJobs('tally_outbox_messages', { place }, 5)),
    firing: [],
  },
  {
    name: 'a message was dead-lettered',
    given: [ofJobs('tally_queue_messages', { queue: 'direct.tasks.dead' }, 1)],
    firing: ['TallyDeadLetters'],
  },
  {
    name: 'workers are lost with their tasks',
    given: [{ ...ofJobs('tally_leases_lost_total', {}, 0), values: growing(1) }],
    firing: ['TallyWorkersLost'],
  },
  {
    name: 'passwords are guessed',
    given: [
      {
        job: 'auth',
        name: 'tally_auth_events_total',
        labels: { event: 'auth.session.refused', reason: 'THROTTLED' },
        values: growing(30),
      },
    ],
    firing: ['TallyLoginsThrottled'],
  },
  {
    name: 'a cluster does not answer',
    given: [
      {
        job: 'batch-bridge',
        name: 'tally_cluster_available',
        labels: { cluster: 'north', reason: 'CLUSTER_UNREACHABLE' },
        values: steady(0),
      },
    ],
    firing: ['TallyClusterUnreachable'],
  },
  {
    name: 'jobs on a cluster are not looked after',
    given: [{ job: 'batch-bridge', name: 'tally_poll_age_seconds', labels: { cluster: 'north' }, values: steady(900) }],
    firing: ['TallyClusterPollLate'],
  },
  {
    name: 'batch-bridge does not take commands',
    given: [ofJobs('tally_duties_repeated', { kind: 'cancel' }, 2)],
    firing: ['TallyBridgeCommandsWait'],
  },
  {
    name: 'a migration failed',
    given: [
      {
        job: 'kube-state-metrics',
        name: 'kube_job_failed',
        labels: { job_name: 'tally-jobs-migrate', condition: 'true' },
        values: steady(1),
      },
    ],
    firing: ['TallyMigrationFailed'],
  },
];
