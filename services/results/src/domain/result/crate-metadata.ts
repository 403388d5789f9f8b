import type { StoredResults } from './result.js';

/** Of RO-Crate 1.1, section "RO-Crate Structure". */
export const METADATA_FILE = 'ro-crate-metadata.json';

const CRATE = 'https://w3id.org/ro/crate/1.1';
/** Profiles of Workflow Run RO-Crate 0.5, each of which contains the one before, and Workflow RO-Crate, which they build on. */
const PROFILES = [
  { id: 'https://w3id.org/ro/wfrun/process/0.5', name: 'Process Run Crate', version: '0.5' },
  { id: 'https://w3id.org/ro/wfrun/workflow/0.5', name: 'Workflow Run Crate', version: '0.5' },
  { id: 'https://w3id.org/workflowhub/workflow-ro-crate/1.0', name: 'Workflow RO-Crate', version: '1.0' },
];
const COMPUTATIONAL_WORKFLOW = 'https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE';
/** Not in the context of RO-Crate 1.1: the terms of Workflow Run RO-Crate have it. */
const TERMS = { sha256: 'https://w3id.org/ro/terms/workflow-run#sha256' };

/** What a user has sent for a job. */
export interface CrateSubmission {
  readonly taskCount: number;
  /** As in the body of a submission; undefined: none. */
  readonly target: unknown;
  readonly extensions: readonly { readonly primaries: number; readonly taskCount: number }[];
}

/** A job that has run, as jobs knows it. */
export interface CrateRun {
  readonly jobId: string;
  readonly title: string;
  /** The simulator that was asked for. */
  readonly simulator: string;
  readonly platform: string;
  readonly seed: bigint;
  readonly taskCount: number;
  /** Undefined: it was submitted with all of its tasks. */
  readonly submission: CrateSubmission | undefined;
  /** Asked for. */
  readonly primaries: number;
  /** Name of its state. */
  readonly state: string;
  /** Why it failed; empty otherwise. */
  readonly failure: string;
  readonly startTime: Date;
  /** Undefined: it has not ended. */
  readonly endTime: Date | undefined;
  /** Runners, or the cluster. */
  readonly machines: readonly string[];
  /** Name of the user who asks. */
  readonly agent: string;
  /** Empty: none is given. */
  readonly license: string;
  /** Release of the service. */
  readonly version: string;
  /** The kept project that it was submitted from; undefined: none. */
  readonly project?: { readonly projectId: string; readonly revision: number; readonly title: string } | undefined;
}

/** A file of the crate: what it is to the run, and what it holds. */
export interface CrateFile {
  readonly path: string;
  readonly role: 'workflow' | 'project' | 'deck' | 'simulatorDeck' | 'results' | 'readme';
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

type Entity = { readonly '@id': string; readonly '@type': string | readonly string[]; readonly [key: string]: unknown };

const NAMES: Readonly<Record<CrateFile['role'], string>> = {
  workflow: 'Submission',
  project: 'Project',
  deck: 'Input file of the program that ran',
  simulatorDeck: 'Input file of the simulator that was asked for, in whose place the built-in engine ran',
  results: 'Results with standard errors',
  readme: 'What is in the crate',
};

const ref = (id: string) => ({ '@id': id });
/** One reference, or several: a list of one is none (RO-Crate 1.1, "Appendix: RO-Crate JSON-LD"). */
const refs = (entities: readonly { readonly '@id': string }[]) => {
  const [first, ...others] = entities.map((entity) => ref(encodeURI(entity['@id'])));
  return others.length === 0 ? first : [first, ...others];
};
/** ISO 8601 with an offset, as the profiles write moments. */
const moment = (at: Date) => at.toISOString().replace('Z', '+00:00');

/**
 * The text of ro-crate-metadata.json: a flat graph (RO-Crate 1.1) of a run of a workflow (Workflow Run RO-Crate 0.5). The workflow is
 * the submission, which any deployment of the service can run again; its parameters are the project, the simulator, the seed, tasks and primaries.
 * @param results - undefined: there are none
 */
export function crateMetadata(run: CrateRun, files: readonly CrateFile[], results: StoredResults | undefined): string {
  const parameters = listParameters(run, files, results);
  const fileEntities = files.map((file) => describeFile(run, file, parameters));
  const values = parameters.flatMap(({ value }) => value ?? []);
  const places = run.machines.map((name, i): Entity => ({ '@id': `#machine-${i + 1}`, '@type': 'Place', name }));
  const software = listSoftware(run, results);
  const action = describeAction(run, files, results, values, places);
  const graph: Entity[] = [
    {
      '@id': METADATA_FILE,
      '@type': 'CreativeWork',
      conformsTo: [ref(CRATE), ref(PROFILES[2]?.id ?? '')],
      about: ref('./'),
    },
    describeRoot(run, fileEntities, action),
    ...PROFILES.map(({ id, name, version }): Entity => ({ '@id': id, '@type': 'CreativeWork', name, version })),
    ...fileEntities.map((entity) =>
      entity['@id'] === workflowOf(files)?.path
        ? { ...entity, ...describeWorkflow(run, parameters, software) }
        : entity,
    ),
    {
      '@id': '#language',
      '@type': 'ComputerLanguage',
      name: 'Submission of a particle-transport job',
      description: 'The body of POST /jobs/direct or POST /jobs/batch of the job service',
    },
    ...parameters.map(({ parameter }) => parameter),
    ...values,
    action,
    { '@id': '#agent', '@type': 'Person', name: run.agent },
    ...places,
    ...software,
    describeLicense(run),
  ];
  return `${JSON.stringify({ '@context': [`${CRATE}/context`, TERMS], '@graph': graph }, null, 2)}\n`;
}

/** The text of README.md, by what is in the crate before it. */
export function crateReadme(run: CrateRun, files: readonly CrateFile[]): string {
  return [
    `# ${run.title}`,
    '',
    `Job ${run.jobId}, ${run.state}: ${run.primaries} primaries in ${run.taskCount} tasks, seed ${run.seed}. \`${METADATA_FILE}\` says what`,
    'computed it, where and when, and the SHA-256 of each file (RO-Crate 1.1, Workflow Run RO-Crate 0.5).',
    '',
    '| File | What |',
    '|---|---|',
    ...files.map(({ path, role }) => `| \`${path}\` | ${NAMES[role]} |`),
    '',
    `The same job again: send \`submission.json\` as the body of \`POST /jobs/${run.platform}\`.`,
    ...(run.submission?.extensions.length
      ? [
          `Then send each of its \`extensions\`, with the new \`job_id\`, as the body of \`POST /jobs/${run.platform}/extend\`, when the job is COMPLETED.`,
        ]
      : []),
    '',
  ].join('\n');
}

const workflowOf = (files: readonly CrateFile[]) => files.find(({ role }) => role === 'workflow');

function describeRoot(run: CrateRun, files: readonly Entity[], action: Entity): Entity {
  return {
    '@id': './',
    '@type': 'Dataset',
    identifier: run.jobId,
    name: run.title,
    description: `A particle-transport simulation: ${run.primaries} primaries in ${run.taskCount} tasks, ${run.state}`,
    datePublished: moment(run.endTime ?? run.startTime),
    license: ref(licenseId(run)),
    author: ref('#agent'),
    conformsTo: PROFILES.map(({ id }) => ref(id)),
    hasPart: refs(files),
    mainEntity: refs(files.slice(0, 1)),
    mentions: ref(action['@id']),
  };
}

const isUrl = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text);
const licenseId = ({ license }: CrateRun) => (isUrl(license) ? license : '#license');

function describeLicense(run: CrateRun): Entity {
  const none = { name: 'No licence given', description: 'Who wants to use this asks the author' };
  return { '@id': licenseId(run), '@type': 'CreativeWork', ...(run.license === '' ? none : { name: run.license }) };
}

function describeFile({ project }: CrateRun, file: CrateFile, parameters: readonly Parameter[]): Entity {
  const { path, role, mediaType, sizeBytes, sha256 } = file;
  const of = parameters.find((parameter) => parameter.path === path);
  return {
    '@id': encodeURI(path),
    '@type': 'File',
    name: `${NAMES[role]}: ${path}`,
    encodingFormat: mediaType,
    contentSize: String(sizeBytes),
    sha256,
    ...(role === 'readme' ? { about: ref('./') } : {}),
    ...(role === 'project' && project !== undefined
      ? {
          identifier: project.projectId,
          version: String(project.revision),
          description: `Revision ${project.revision} of the project "${project.title}"`,
        }
      : {}),
    ...(of === undefined ? {} : { exampleOfWork: ref(of.parameter['@id']) }),
  };
}

/** A formal parameter of the workflow with what it was. */
interface Parameter {
  readonly parameter: Entity;
  readonly isOutput: boolean;
  /** Of a file. */
  readonly path?: string;
  /** Of a value. */
  readonly value?: Entity;
}

function listParameters(run: CrateRun, files: readonly CrateFile[], results: StoredResults | undefined): Parameter[] {
  const project = files.find(({ role }) => role === 'project');
  const file = files.find(({ role }) => role === 'results');
  return [
    ...(project === undefined ? [] : [fileParameter('project', project, false)]),
    valueParameter('simulator', 'Simulator asked for', run.simulator, 'Text'),
    valueParameter('seed', 'Seed of the random numbers', String(run.seed), 'Integer'),
    valueParameter('ntasks', 'Tasks among which the primaries were divided', run.taskCount, 'Integer'),
    valueParameter('primaries', 'Primaries asked for', run.primaries, 'Integer'),
    ...(file === undefined ? [] : [fileParameter('results', file, true)]),
    ...(results === undefined
      ? []
      : [valueParameter('simulated', 'Primaries behind the results', results.primaries, 'Integer', true)]),
  ];
}

function fileParameter(name: string, { path, role }: CrateFile, isOutput: boolean): Parameter {
  const parameter = { ...formalParameter(name, NAMES[role], 'File'), workExample: ref(encodeURI(path)) };
  return { parameter, isOutput, path };
}

function valueParameter(
  name: string,
  description: string,
  value: string | number,
  type: string,
  isOutput = false,
): Parameter {
  const parameter = formalParameter(name, description, type);
  const entity = { '@id': `#${name}`, '@type': 'PropertyValue', name, value, exampleOfWork: ref(parameter['@id']) };
  return { parameter: { ...parameter, workExample: ref(entity['@id']) }, isOutput, value: entity };
}

function formalParameter(name: string, description: string, additionalType: string): Entity {
  return { '@id': `#parameter-${name}`, '@type': 'FormalParameter', name, description, additionalType };
}

function describeWorkflow(run: CrateRun, parameters: readonly Parameter[], software: readonly Entity[]) {
  const side = (isOutput: boolean) =>
    parameters.filter((of) => of.isOutput === isOutput).map(({ parameter }) => parameter);
  const outputs = side(true);
  return {
    '@type': ['File', 'SoftwareSourceCode', 'ComputationalWorkflow'],
    version: run.version,
    conformsTo: ref(COMPUTATIONAL_WORKFLOW),
    programmingLanguage: ref('#language'),
    creator: ref('#agent'),
    softwareRequirements: refs(software),
    input: refs(side(false)),
    ...(outputs.length === 0 ? {} : { output: refs(outputs) }),
  };
}

/** What the simulators are called elsewhere. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['simA', 'SHIELD-HIT12A'],
  ['simB', 'FLUKA'],
  ['simC', 'Geant4'],
  ['simD', 'TOPAS'],
]);

/** The service, and what computed, with its version: `reference 0.1.0`; several by comma. */
function listSoftware(run: CrateRun, results: StoredResults | undefined): Entity[] {
  const engines = (results?.engine ?? '').split(/, */).filter((text) => text !== '');
  const entity = (id: string, name: string, softwareVersion?: string): Entity => ({
    '@id': id,
    '@type': 'SoftwareApplication',
    name,
    ...(softwareVersion === undefined ? {} : { softwareVersion }),
  });
  return [
    entity('#service', 'Tally', run.version),
    ...engines.map((text, i) => {
      const [, name = text, version] = /^(\S+) (\d.*)$/.exec(text) ?? [];
      const program = PROGRAMS.get(name);
      return entity(`#engine-${i + 1}`, program === undefined ? name : `${program} (${name})`, version);
    }),
  ];
}

function describeAction(
  run: CrateRun,
  files: readonly CrateFile[],
  results: StoredResults | undefined,
  values: readonly Entity[],
  places: readonly Entity[],
): Entity {
  const filesOf = (...roles: CrateFile['role'][]) =>
    files.filter(({ role }) => roles.includes(role)).map(({ path }) => ({ '@id': path }));
  const isResult = (value: Entity) => value['@id'] === '#simulated';
  const made = [...filesOf('results'), ...values.filter(isResult)];
  const isCompleted = run.state === 'COMPLETED';
  const warnings = results?.warnings.map(({ message }) => message) ?? [];
  return {
    '@id': `#run-${run.jobId}`,
    '@type': 'CreateAction',
    name: `Run of ${run.jobId}`,
    description: [
      `${run.platform} platform, ${run.state}${results?.isPartial === true ? ', results of a part of the tasks' : ''}`,
      ...warnings,
    ].join('; '),
    startTime: moment(run.startTime),
    ...(run.endTime === undefined ? {} : { endTime: moment(run.endTime) }),
    agent: ref('#agent'),
    instrument: refs(filesOf('workflow')),
    object: refs([...filesOf('project', 'deck'), ...values.filter((value) => !isResult(value))]),
    ...(made.length === 0 ? {} : { result: refs(made) }),
    ...(places.length === 0 ? {} : { location: refs(places) }),
    actionStatus: `http://schema.org/${isCompleted ? 'Completed' : 'Failed'}ActionStatus`,
    ...(isCompleted ? {} : { error: run.failure === '' ? run.state : run.failure }),
  };
}
