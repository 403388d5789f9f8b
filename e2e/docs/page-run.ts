import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type FencedBlock, workspaceRoot } from '@tally/testkit';

const SHELL_LIMIT_MS = 180_000;
const OUTPUT_CHARACTERS_MAX = 4_000;
/** Keeps the variables of a block for the next one, as a terminal does. */
const KEPT = '.variables';
const PRELUDE = `set -euo pipefail; set -a; [ ! -f ${KEPT} ] || . ./${KEPT}; trap 'export -p > ${KEPT}' EXIT\n`;

export interface PageSetting {
  /** Where the page's commands run: a folder of its own, with the repository's examples in it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Interpreter with what the pages import; undefined: there is none here. */
  readonly python: string | undefined;
}

/** Something that runs blocks of a page, one after the other. */
export interface PageRun {
  /** @throws Error with the end of what the block wrote */
  run(block: FencedBlock): Promise<void>;
  stop(): void;
}

export function startPage({ folder, env, python }: PageSetting): PageRun {
  mkdirSync(folder, { recursive: true });
  symlinkSync(path.join(workspaceRoot(), 'examples'), path.join(folder, 'examples'));
  let session: ReturnType<typeof startPython> | undefined;
  return {
    async run({ language, code, line }) {
      if (language === 'sh') return runShell(code, folder, env);
      if (language === 'json') return void JSON.parse(code);
      if (language !== 'python') throw new Error(`nothing runs ${language}: say why by "${language} no-run: …"`);
      if (python === undefined) return undefined; // tools/test.mjs has said why
      session ??= startPython(python, folder, env);
      return session.run({ code, name: `line ${line}`, env: variablesOf(folder) });
    },
    stop: () => session?.stop(),
  };
}

function runShell(code: string, folder: string, env: PageSetting['env']): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env, timeout: SHELL_LIMIT_MS };
    execFile('bash', ['-c', PRELUDE + code], options, (err, stdout, stderr) => {
      if (err === null) resolve();
      else
        reject(
          new Error(
            `${code}\nended with ${err.code ?? err.signal}:\n${(stdout + stderr).slice(-OUTPUT_CHARACTERS_MAX)}`,
          ),
        );
    });
  });
}

/** Variables that the shell of the page has set. */
function variablesOf(folder: string): Record<string, string> {
  const file = path.join(folder, KEPT);
  if (!existsSync(file)) return {};
  const found = readFileSync(file, 'utf8').matchAll(/^declare -x (\w+)="((?:[^"\\]|\\.)*)"$/gm);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, '$1')]));
}

function startPython(python: string, folder: string, env: PageSetting['env']) {
  const program = path.join(import.meta.dirname, 'python-session.py');
  const paths = { PYTHONPATH: path.join(workspaceRoot(), 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python, [program], { cwd: folder, env: { ...env, ...paths, MPLBACKEND: 'agg' } });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-OUTPUT_CHARACTERS_MAX);
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(block: { readonly code: string; readonly name: string; readonly env: Record<string, string> }) {
      child.stdin.write(`${JSON.stringify(block)}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error(`Python ended: ${errors}`);
      const { fault } = JSON.parse(value) as { fault: string | null };
      if (fault !== null) throw new Error(`${block.code}\n${fault}`);
    },
    stop: () => child.kill(),
  };
}
