import fs from 'node:fs';
import { applyTemplate, type Output, rangeOf, TallyClient } from '@tally/client';
import type { Command } from 'commander';
import { answer, type CommonOptions, type Context, urlOf } from '../context.js';
import { type OutOptions, permitOverwriting } from '../out-file.js';
import { readTemplateSource, templateOf } from '../source.js';
import { table } from '../terminal/plot.js';

type Template = Output<'GET', '/templates/template'>;

interface TemplatesOptions extends CommonOptions, OutOptions {
  readonly param: readonly string[];
}

function describe({ name, title, teaches, parameters, expected }: Template): string {
  const [first] = parameters;
  const change = first === undefined ? '' : ` --param ${first.name}=${first.default}`;
  return [
    `${title} (${name})`,
    teaches,
    '',
    table(
      ['PARAMETER', 'RANGE', 'DEFAULT', 'MEANING'],
      parameters.map((one) => [one.name, rangeOf(one), String(one.default), one.label]),
    ),
    '',
    `Expected: ${expected.words}`,
    '',
    `  tally submit --template ${name}${change} --watch`,
  ].join('\n');
}

async function templates(context: Context, name: string | undefined, options: TemplatesOptions): Promise<void> {
  const client = new TallyClient(urlOf(context, options));
  if (name === undefined) {
    const { templates: all } = await client.request('GET', '/templates');
    return answer(context, options, all, () =>
      table(
        ['TEMPLATE', 'PARAMETERS', 'TITLE'],
        all.map((one) => [one.name, one.parameters.map((parameter) => parameter.name).join(', '), one.title]),
      ),
    );
  }
  const { out } = options;
  if (out === undefined && options.param.length === 0) {
    const template = await templateOf(client, name);
    return answer(context, options, { ...template, project: applyTemplate(template) }, () => describe(template));
  }
  const { source } = await readTemplateSource(client, name, options.param);
  const project = `${JSON.stringify(source.sim_data, null, 2)}\n`;
  if (out === undefined) return context.write(project);
  await permitOverwriting(context, options, [out]);
  fs.writeFileSync(out, project);
  context.note(`${Buffer.byteLength(project)} bytes in ${out}`);
}

/** templates. */
export function addTemplateCommand(program: Command, context: Context): void {
  program
    .command('templates [name]')
    .description('Templates of projects; of one its parameters, or its project with --out or --param')
    .option(
      '--param <name=value>',
      'a parameter of the template, for example thickness=3',
      (text: string, all: readonly string[]) => [...all, text],
      [],
    )
    .option('-o, --out <file>', 'write the project into this file')
    .option('--force', 'overwrite the file')
    .addHelpText(
      'after',
      `
Examples:
  $ tally templates
  $ tally templates bone-slab
  $ tally templates bone-slab --param thickness=3 --out slab.json`,
    )
    .action((name: string | undefined, _, command: Command) => templates(context, name, command.optsWithGlobals()));
}
