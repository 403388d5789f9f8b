import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Variables that the command reads. */
export interface Environment {
  readonly TALLY_URL?: string;
  readonly TALLY_TOKEN?: string;
  readonly XDG_CONFIG_HOME?: string;
  readonly XDG_STATE_HOME?: string;
  readonly HOME?: string;
  /** Of a desktop. */
  readonly DISPLAY?: string;
  readonly WAYLAND_DISPLAY?: string;
}

/** What `tally login` keeps. */
export interface Config {
  readonly url?: string;
  readonly token?: string;
}

/** Where it is kept: XDG Base Directory Specification 0.8. */
export function configFile(env: Environment): string {
  const base = env.XDG_CONFIG_HOME ?? path.join(env.HOME ?? os.homedir(), '.config');
  return path.join(base, 'tally', 'config.json');
}

/** What is kept; nothing where there is no file. @throws Error when the file is not what this command writes */
export function readConfig(env: Environment): Config {
  const file = configFile(env);
  if (!fs.existsSync(file)) return {};
  const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
  const text = (name: string): string | undefined => {
    const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
    return typeof member === 'string' ? member : undefined;
  };
  return { url: text('url'), token: text('token') };
}

/** Keeps it where its owner alone can read it, whatever the umask; replaces the file as a whole. */
export function writeConfig(env: Environment, config: Config): void {
  const file = configFile(env);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(draft, file);
}
