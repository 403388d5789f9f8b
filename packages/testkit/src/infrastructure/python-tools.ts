import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { canInstallPackages, installPackages } from './debian-packages.js';

/** What is installed for a tool, and of which package the sources, test data among them, are unpacked. */
interface Recipe {
  readonly packages: readonly string[];
  readonly sources?: string;
  /** Nothing that the packages ask for is installed: only programs in them are of use. */
  readonly isAlone?: boolean;
}

/** Programs of others that tests compare with. Versions are pinned: what they say is part of the tests. */
const RECIPES = {
  /** Reads the files of three of the simulators, and brings files that those have written. */
  pymchelper: { packages: ['pymchelper==2.9.6', 'numpy==2.2.6'], sources: 'pymchelper==2.9.6' },
  /** A whole Geant4 11.4 without its data. */
  geant4: { packages: ['geant4-pybind==0.1.3'] },
  /** MCsquare, proton Monte Carlo in voxels, in a package of a planning system. */
  mcsquare: { packages: ['opentps-core==2.0.0'], isAlone: true },
  /** ompMC, photons and electrons in voxels with the physics of EGSnrc. */
  ompmc: { packages: ['ompmc==0.4.0', 'numpy==2.2.6'] },
  /** The programs that read results. */
  readers: { packages: ['numpy==2.2.6', 'h5py==3.13.0', 'pandas==2.2.3', 'pydicom==3.0.1'] },
  /** Validates RO-Crates; rocrate brings the context of version 1.1, which the validator would fetch from its site. */
  crates: { packages: ['roc-validator==0.13.0', 'rocrate==0.11.0'] },
  /** Computes gamma pass rates. */
  pymedphys: { packages: ['pymedphys==0.41.0', 'numpy==2.2.6', 'scipy==1.15.3', 'numba==0.61.2'] },
  /** What clients/python needs, is tested and built with, and what executes its notebooks. */
  client: {
    packages: [
      'httpx==0.28.1',
      'anyio==4.11.0',
      'numpy==2.2.6',
      'tqdm==4.67.1',
      'typing-extensions==4.15.0',
      'pandas==2.2.3',
      'xarray==2025.6.1',
      'h5py==3.13.0',
      'pydicom==3.0.1',
      'matplotlib==3.10.3',
      'ipywidgets==8.1.7',
      'mypy==1.18.2',
      'pytest==8.4.2',
      'pytest-asyncio==1.2.0',
      'build==1.3.0',
      'hatchling==1.27.0',
      'nbclient==0.10.2',
      'nbformat==5.10.4',
      'ipykernel==6.30.1',
    ],
  },
} as const satisfies Record<string, Recipe>;

export type PythonToolName = keyof typeof RECIPES;

/** A tool that is there. */
export interface PythonTool {
  /** Interpreter that finds the packages. */
  readonly python: string;
  /** Unpacked sources, where the tool has them. */
  readonly sources: string;
}

const INTERPRETER = 'python3';
/** Of Debian, where python3 alone cannot install anything. */
const VENV_PACKAGE = 'python3-venv';
const PIP = ['-m', 'pip', '--disable-pip-version-check', '--no-input', '--timeout', '15', '--retries', '0'];
const TIME_LIMIT_MS = 600_000;
const MESSAGE_CHARACTERS_MAX = 200;

/** The tool, if an earlier run has installed it; nothing is installed here. */
export function findPythonTool(name: PythonToolName): PythonTool | undefined {
  const folder = toolFolder(name);
  return folder !== undefined && existsSync(folder) ? toolIn(folder) : undefined;
}

/**
 * Installs the tool from PyPI into the user's cache unless it is there, python3-venv from Debian before it where we may.
 * Where it cannot, says why in one line: its tests are skipped.
 * @returns whether it is there now
 */
export async function providePythonTool(name: PythonToolName, log?: (line: string) => void): Promise<boolean> {
  if (findPythonTool(name) !== undefined) return true;
  try {
    await installTool(name, log);
    return true;
  } catch (err) {
    const reason = (err instanceof Error ? err.message : String(err)).trim().slice(-MESSAGE_CHARACTERS_MAX);
    log?.(`no ${name} from PyPI, and tests that compare with it are skipped: ${reason}`);
    return false;
  }
}

function toolIn(folder: string): PythonTool {
  return { python: path.join(folder, 'venv/bin/python'), sources: path.join(folder, 'sources') };
}

/** Of this recipe for this interpreter; `undefined` without one. */
function toolFolder(name: PythonToolName): string | undefined {
  const { status, stdout } = spawnSync(INTERPRETER, ['--version'], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const hash = createHash('sha256').update(JSON.stringify([RECIPES[name], stdout.trim()]));
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  return path.join(cache, 'tally/python', `${name}-${hash.digest('hex').slice(0, 12)}`);
}

/** Into a folder of its own, which gets its name when it is whole. */
async function installTool(name: PythonToolName, log?: (line: string) => void): Promise<void> {
  const { packages, sources, isAlone = false }: Recipe = RECIPES[name];
  await requireVenv(log);
  const folder = toolFolder(name);
  if (folder === undefined) throw new Error(`there is no ${INTERPRETER}`);
  log?.(`installing ${packages.join(' and ')} from PyPI into ${folder}`);
  mkdirSync(path.dirname(folder), { recursive: true });
  const growing = mkdtempSync(`${folder}.`);
  try {
    await run(INTERPRETER, ['-m', 'venv', path.join(growing, 'venv')]);
    const { python } = toolIn(growing);
    const dependencies = isAlone ? ['--no-deps'] : [];
    await run(python, [...PIP, 'install', '--quiet', '--only-binary', ':all:', ...dependencies, ...packages]);
    if (sources !== undefined) await unpackSources(python, sources, growing);
    if (!existsSync(folder)) renameSync(growing, folder);
  } finally {
    rmSync(growing, { recursive: true, force: true });
  }
}

async function requireVenv(log?: (line: string) => void): Promise<void> {
  if (spawnSync(INTERPRETER, ['-c', 'import ensurepip, venv']).status === 0) return;
  if (!canInstallPackages()) throw new Error(`there is no ${INTERPRETER} with ${VENV_PACKAGE}`);
  log?.(`installing ${VENV_PACKAGE}`);
  await installPackages([VENV_PACKAGE]);
}

async function unpackSources(python: string, requirement: string, folder: string): Promise<void> {
  const archives = path.join(folder, 'archives');
  const download = ['download', '--quiet', '--no-deps', '--no-binary', ':all:', '--dest', archives, requirement];
  await run(python, [...PIP, ...download]);
  const unpack =
    'import glob, sys, tarfile\nfor name in glob.glob(sys.argv[1]): tarfile.open(name).extractall(sys.argv[2])';
  await run(python, ['-c', unpack, path.join(archives, '*.tar.gz'), path.join(folder, 'sources')]);
  rmSync(archives, { recursive: true });
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: TIME_LIMIT_MS });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(errors.trim().split('\n').at(-1) || `${program} ended with ${code}`);
}
