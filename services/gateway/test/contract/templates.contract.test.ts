import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tally/service-kit';
import { type GatewayUnderTest, startGatewayUnderTest } from '../stand-ins/suite.js';

const site = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-templates-'));
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const PROJECT = { beam: { energy: 100, numberOfParticles: 1 }, kept: [1, 'two'] };
const ENERGY = {
  name: 'energy',
  label: 'Energy',
  unit: 'MeV',
  min: 70,
  max: 230,
  step: 1,
  default: 100,
  targets: [{ pointer: '/beam/energy' }],
};
const FILE = {
  title: 'An exercise',
  teaches: 'One thing. Another thing.',
  parameters: [ENERGY],
  expected: { words: 'A peak.' },
};
const lines: string[] = [];
const logger = createLogger({ service: 'gateway', level: 'warn', write: (line) => lines.push(line) });
let gateway: GatewayUnderTest;

function put(name: string, template: unknown, project: unknown = PROJECT, picture?: Buffer) {
  const folder = path.join(site, name);
  fs.mkdirSync(folder);
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  if (template !== undefined) fs.writeFileSync(path.join(folder, 'template.json'), text(template));
  fs.writeFileSync(path.join(folder, 'project.json'), text(project));
  if (picture !== undefined) fs.writeFileSync(path.join(folder, 'picture.png'), picture);
}

const withParameter = (change: object) => ({ ...FILE, parameters: [{ ...ENERGY, ...change }] });

type Broken = readonly [template: unknown, said: RegExp, project?: unknown, picture?: Buffer];
/** Broken templates, and what the log says of each. */
const BROKEN: Readonly<Record<string, Broken>> = {
  'no-file': [undefined, /template\.json: is missing/],
  'no-json': ['{ "title": ', /template\.json: .*JSON/],
  'no-title': [{ ...FILE, title: undefined }, /template\.json: \/title/],
  misspelt: [withParameter({ defualt: 3 }), /template\.json: \/parameters\/0 .*defualt/],
  'out-of-range': [withParameter({ default: 300 }), /\/parameters\/0\/default must lie between min and max/],
  'same-names': [{ ...FILE, parameters: [ENERGY, ENERGY] }, /\/parameters must have different names/],
  'no-place': [
    withParameter({ targets: [{ pointer: '/beam/enrgy' }] }),
    /project\.json: has no number at \/beam\/enrgy/,
  ],
  'other-default': [withParameter({ default: 101 }), /has 100 at \/beam\/energy, but the defaults .* make 101/],
  'no-project': [FILE, /project\.json: is no project/, [1]],
  large: [FILE, /project\.json: has \d+ bytes, at most 1000000/, { ...PROJECT, more: 'x'.repeat(1_000_000) }],
  'no-picture': [FILE, /picture\.png: is no PNG/, PROJECT, Buffer.from('<svg/>')],
};

beforeAll(async () => {
  put('exercise', FILE, PROJECT, PNG);
  put('water-tank', { ...FILE, title: 'Our own tank' });
  put('..hidden', FILE);
  fs.writeFileSync(path.join(site, 'README'), 'no folder');
  for (const [name, [template, , project, picture]] of Object.entries(BROKEN)) put(name, template, project, picture);
  gateway = await startGatewayUnderTest({ templatesDir: site }, logger);
});
afterAll(async () => {
  await gateway.stop();
  fs.rmSync(site, { recursive: true });
});

interface Listed {
  readonly templates: readonly { readonly name: string; readonly picture: string | null }[];
}

describe('GET /templates', () => {
  it('200: those of the suite and of the site, whose own replace ours, each with a picture that is there', async () => {
    const { status, body } = await gateway.send('GET', '/templates', { cookie: '' });
    const { templates } = body as unknown as Listed;
    const names = templates.map(({ name }) => name);
    expect([status, names.length]).toEqual([200, 11]);
    expect(names).toEqual(expect.arrayContaining(['bone-slab', 'exercise']));
    expect(templates.find(({ name }) => name === 'water-tank')).toMatchObject({ title: 'Our own tank', picture: null });
    for (const { name, picture } of templates.filter((one) => one.name !== 'water-tank')) {
      const response = await fetch(`${gateway.url}${picture}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([name, response.status, response.headers.get('content-type')]).toEqual([name, 200, 'image/png']);
      expect(bytes.subarray(0, 8)).toEqual(PNG.subarray(0, 8));
    }
  });

  it('leaves out what cannot be read, and the log says which file, and where', () => {
    const said = lines.map((line) => JSON.parse(line) as { template: string; reason: string });
    for (const [name, [, words]] of Object.entries(BROKEN))
      expect([name, said.find(({ template }) => template === name)?.reason]).toEqual([
        name,
        expect.stringMatching(words),
      ]);
    expect(said).toHaveLength(Object.keys(BROKEN).length);
  });
});

describe('GET /templates/template', () => {
  it('200: the template with its project as it is in the file', async () => {
    const { status, body } = await gateway.send('GET', '/templates/template?name=exercise', { cookie: '' });
    expect([status, body]).toEqual([
      200,
      { message: 'Template', name: 'exercise', ...FILE, picture: '/templates/exercise/picture.png', project: PROJECT },
    ]);
  });

  it('400: no name; 404: no such name, whatever it looks like', async () => {
    expect((await gateway.send('GET', '/templates/template', { cookie: '' })).status).toBe(400);
    for (const name of ['nothing', 'no-json', '..', '..hidden', '../exercise', '__proto__', 'exercise/../exercise']) {
      const { status, body } = await gateway.send('GET', `/templates/template?name=${encodeURIComponent(name)}`);
      expect([name, status, body.code]).toEqual([name, 404, 'TEMPLATE_NOT_FOUND']);
    }
  });
});

describe('GET /templates/…/picture.png', () => {
  it('gives nothing but pictures of templates', async () => {
    for (const target of ['..', '%2e%2e', '..%2fexercise', 'exercise%2f..', 'water-tank', 'no-picture', 'x%00'])
      expect([target, (await fetch(`${gateway.url}/templates/${target}/picture.png`)).status]).toEqual([target, 404]);
    expect((await fetch(`${gateway.url}/templates/exercise/project.json`)).status).toBe(404);
  });
});

describe('GET /schemas/template.json', () => {
  it('is a JSON Schema that any page may read', async () => {
    const response = await fetch(`${gateway.url}/schemas/template.json`);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await response.json()).toMatchObject({
      $schema: expect.stringContaining('json-schema.org'),
      additionalProperties: false,
      required: ['title', 'teaches', 'parameters', 'expected'],
    });
  });
});

describe('a folder of templates that is not there', () => {
  it('is named in the log, and the templates of the suite are offered', async () => {
    const before = lines.length;
    const other = await startGatewayUnderTest({ templatesDir: path.join(site, 'nowhere') }, logger);
    const { body } = await other.send('GET', '/templates', { cookie: '' });
    await other.stop();
    expect((body as unknown as Listed).templates).toHaveLength(10);
    expect(lines.slice(before).join('')).toContain('nowhere');
  });
});
