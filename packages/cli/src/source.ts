import fs from 'node:fs';
import path from 'node:path';
import { applyTemplate, type TallyClient, templateChanges } from '@tally/client';
import { UserError } from './exit-codes.js';
import { readParameter } from './sweep/values.js';

/** What shall be simulated. */
export type Source =
  | { readonly input_type: 'editor'; readonly sim_data: Record<string, unknown> }
  | { readonly input_type: 'files'; readonly sim_data: Record<string, string> };

/** Members of a submission besides its source, as a file has them: the service checks them. */
interface Submission {
  readonly sim_type?: string;
  readonly ntasks?: number;
  readonly title?: string;
  readonly sweep?: { readonly id: string; readonly size: number };
  readonly batch_options?: Record<string, unknown>;
}

/** A source, and how it is to run where a file says so: the submission.json of a crate. */
export interface Given {
  readonly source: Source;
  /** Options of the command go before it. */
  readonly submission: Submission;
  /** Of a template with changes. */
  readonly title?: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A project or a submission (.json), or the files of a deck: a folder, or each by its name. @throws UserError */
export function readSource(names: readonly string[]): Given {
  const [first, ...others] = names;
  if (first === undefined) throw new UserError('give a project (.json), the files of a deck, or --template <name>');
  for (const name of names) if (!fs.existsSync(name)) throw new UserError(`there is no ${name}`);
  if (others.length === 0 && /\.json$/i.test(first)) return readJson(first);
  const files = names.flatMap((name) =>
    fs.statSync(name).isDirectory()
      ? fs
          .readdirSync(name, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.join(name, entry.name))
      : [name],
  );
  if (files.length === 0) throw new UserError(`${first} has no files`);
  const texts = files.map((file): [string, string] => [path.basename(file), fs.readFileSync(file, 'utf8')]);
  return { source: { input_type: 'files', sim_data: Object.fromEntries(texts) }, submission: {} };
}

function readJson(file: string): Given {
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (err) {
    throw new UserError(`${file} is not JSON: ${err instanceof Error ? err.message : String(err)}`);
  }
  if (!isObject(value)) throw new UserError(`${file} is not a project: it must be an object`);
  const { input_type: kind, sim_data: data, ...submission } = value;
  if (kind === undefined || data === undefined) {
    return { source: { input_type: 'editor', sim_data: value }, submission: {} };
  }
  if ((kind !== 'editor' && kind !== 'files') || !isObject(data))
    throw new UserError(`${file} is not a submission: input_type must be editor or files, and sim_data an object`);
  return { source: { input_type: kind, sim_data: data } as Source, submission };
}

/** Options that choose a template and its values. */
export interface TemplateOptions {
  readonly template?: string;
  readonly param: readonly string[];
}

export const templateOf = (client: TallyClient, name: string) =>
  client.request('GET', '/templates/template', { query: { name } });

/** The project of a template with one value for each parameter that is given. @throws UserError, TemplateError */
export async function readTemplateSource(client: TallyClient, name: string, params: readonly string[]): Promise<Given> {
  const template = await templateOf(client, name);
  const values = Object.fromEntries(
    params.map(readParameter).map(({ name: parameter, values: all }) => {
      const [value, ...more] = all;
      if (value === undefined || more.length > 0)
        throw new UserError('one value for each --param here; "tally sweep" takes several');
      return [parameter, value];
    }),
  );
  const changes = templateChanges(template.parameters, values);
  return {
    source: { input_type: 'editor', sim_data: applyTemplate(template, values) },
    submission: {},
    title: `${template.title}${changes === '' ? '' : ` [${changes}]`}`,
  };
}

/** What a command is given: files, or a template. @throws UserError */
export async function readGiven(
  client: () => TallyClient,
  files: readonly string[],
  { template, param }: TemplateOptions,
): Promise<Given> {
  if (template === undefined) {
    if (param.length > 0)
      throw new UserError('--param is for templates: give --template <name>, or --set for a project');
    return readSource(files);
  }
  if (files.length > 0) throw new UserError(`give either files or --template, not both: ${files.join(', ')}`);
  return readTemplateSource(client(), template, param);
}

/** Title of a project; undefined: it has none. */
export function titleOf({ project }: Record<string, unknown>): string | undefined {
  return isObject(project) && typeof project.title === 'string' ? project.title : undefined;
}
