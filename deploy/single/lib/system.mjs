// Programs of this machine: systemd and podman.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A fault that is told in words, without a stack. */
export class Fault extends Error {}

export const say = (text) => console.log(text);
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a program prints. @throws Fault with its last words */
export async function output(program, args, options = {}) {
  try {
    return (await run(program, args, { maxBuffer: 256 * 1024 * 1024, ...options })).stdout.trim();
  } catch (err) {
    const words = (err.stderr || err.stdout || err.message).trim().split('\n').slice(-3).join(' ');
    throw new Fault(`${program} ${args.slice(0, 3).join(' ')}: ${words}`);
  }
}

/** Whether a program ends well. */
export const succeeds = (program, args) =>
  output(program, args).then(
    () => true,
    () => false,
  );

/** Runs a program with a text or file as its input, and its output in a file if there is one. @throws Fault with its last words */
export function pipe(program, args, { input, inputFile, outputFile } = {}) {
  return new Promise((resolve, reject) => {
    const from = inputFile === undefined ? 'pipe' : fs.openSync(inputFile, 'r');
    const to = outputFile === undefined ? 'pipe' : fs.openSync(outputFile, 'wx', 0o600);
    const child = spawn(program, args, { stdio: [from, to, 'pipe'] });
    const chunks = { out: '', err: '' };
    child.stdout?.on('data', (chunk) => (chunks.out += chunk));
    child.stderr.on('data', (chunk) => (chunks.err += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (typeof from === 'number') fs.closeSync(from);
      if (typeof to === 'number') {
        fs.fsyncSync(to);
        fs.closeSync(to);
      }
      if (code === 0) resolve(chunks.out.trim());
      else
        reject(
          new Fault(`${program} ${args.slice(0, 4).join(' ')}: ${chunks.err.trim().split('\n').slice(-3).join(' ')}`),
        );
    });
    child.stdin?.end(input ?? '');
  });
}

export const systemctl = (...args) => output('systemctl', args);
export const podman = (...args) => output('podman', args);
/** The program that has the containers: podman, or, with compose, Docker. */
export const engine = async () =>
  (await succeeds('docker', ['container', 'inspect', 'tally-postgresql'])) ? 'docker' : 'podman';
export const isActive = (unit) => succeeds('systemctl', ['is-active', '--quiet', unit]);

/** Asks until there is an answer. @throws Fault that says what was waited for */
export async function waitFor(ask, { what, timeoutMs, intervalMs = 1_000 }) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Fault(`${typeof what === 'function' ? what() : what}, after ${timeoutMs / 1000} s`);
    await sleep(intervalMs);
  }
}

/** Writes a file in one go, so that a power cut leaves the former or the new one. @returns whether it changed */
export function writeFile(file, text, { mode = 0o644, user = 0, group = 0 } = {}) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const isSame = fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text;
  if (!isSame) {
    const part = `${file}.part`;
    fs.rmSync(part, { force: true });
    const handle = fs.openSync(part, 'wx', mode);
    fs.writeSync(handle, text);
    fs.fsyncSync(handle);
    fs.closeSync(handle);
    fs.renameSync(part, file);
  }
  fs.chmodSync(file, mode);
  fs.chownSync(file, user, group);
  return !isSame;
}

/** Makes a folder with this owner. */
export function makeFolder(folder, { mode, user = 0, group = user }) {
  fs.mkdirSync(folder, { recursive: true });
  fs.chownSync(folder, user, group);
  fs.chmodSync(folder, mode);
}
