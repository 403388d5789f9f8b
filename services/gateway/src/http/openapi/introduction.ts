/** Opening text of the document: what holds for all operations. CommonMark. */
export const INFO_DESCRIPTION = `Runs particle-transport simulations: submit a project, follow its tasks, read results with standard errors.

- A success is JSON with \`message\`. An error is a \`Problem\`: \`message\`, \`status_code\`, \`code\` (a stable word),
  \`request_id\`, and \`errors\` where fields are wrong. That holds for unknown paths (404) and wrong methods (405, with
  \`Allow\`) too. A request that is not HTTP as it should be gets 400 \`REQUEST_MALFORMED\`.
- Sessions are cookies. A request that changes something and carries one needs an \`Origin\` from the list of allowed
  ones, the gateway's own, or none, as scripts send.
- Unknown query parameters and members of bodies are ignored; wrong types are 400. Answers may gain members.
- Timestamps are ISO 8601, UTC, with milliseconds. \`GET /limits\` has the limits of requests.`;

/** First path segments that are about the service itself. */
const SERVICE_SEGMENTS: ReadonlySet<string> = new Set([
  '',
  'livez',
  'readyz',
  'limits',
  'openapi.json',
  'schemas',
  'simulators',
]);

/** Tag of an operation: the first segment of its path. */
export function tagOf(path: string): string {
  const segment = path.split('/')[1] ?? '';
  return SERVICE_SEGMENTS.has(segment) ? 'service' : segment;
}

/** What the operations of a tag are about. */
export const TAGS: Readonly<Record<string, string>> = {
  service: 'What answers, whether it is well, and what it can do',
  auth: 'Accounts and sessions',
  jobs: 'Submit, follow and cancel jobs; workers report their state',
  tasks: 'Workers report the state of tasks',
  results: 'Numbers of a job, with standard errors; workers upload them',
  estimators: 'Names and sizes of results',
  inputs: 'What was submitted, and what was made of it',
  logfiles: 'What simulators wrote; workers upload it',
  admin: 'For operators: jobs of all users, runners, accounts, and the trail of what operators do',
  user: "The user's own simulations and profile",
  projects: 'What users build, with its history',
  templates: 'Projects to begin with',
  clusters: 'Where batch jobs can go',
};
