import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { type ConfigSchema, type commonKeys, type Logger, type Running, runService } from '@tally/service-kit';

/*
 * Program: a service, as its main.js starts it, but with other bounds. Arguments: name of the service, folder of its build, and
 * the bounds as JSON.
 */

type Start = (options: object, logger: Logger) => Promise<Running>;

const [service = '', build = '', json = '{}'] = process.argv.slice(2);
type Module = Readonly<Record<string, unknown>>;
const load = async (file: string) => (await import(pathToFileURL(path.join(build, file)).href)) as Module;

/** The only export whose name is like this. */
function pick(module: Module, name: RegExp): unknown {
  return Object.entries(module).find(([key]) => name.test(key))?.[1];
}

const config = await load('config.js');
const usual = pick(await load('bounds.js'), /^BOUNDS$/) as object;
const bounds = JSON.parse(json) as object;
const unknown = Object.keys(bounds).filter((name) => !(name in usual));
if (unknown.length > 0) throw new Error(`${service} has no bounds ${unknown.join(', ')}`);
const start = pick(await load('service.js'), /^start/) as Start;
await runService({
  service,
  prefix: String(pick(config, /^CONFIG_PREFIX$/)),
  settings: pick(config, /ConfigSchema$/) as ConfigSchema & typeof commonKeys,
  start: (settings, logger) => start({ ...settings, ...bounds }, logger),
  drainMs: (settings) => Number('drainMs' in settings ? settings.drainMs : 0),
});
