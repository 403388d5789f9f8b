import { spawn } from 'node:child_process';
import path from 'node:path';
import { findPythonTool, workspaceRoot } from '@tally/testkit';
import type { TestSuite } from '../fixtures/suite-fixture.js';

/** The package, with its tests. */
export const PACKAGE = path.join(workspaceRoot(), 'clients/python');
const OUTPUT_CHARACTERS_MAX = 8_000;

/** Interpreter that has all that the package needs; undefined: tools/test.mjs has said why it could not be installed. */
export const python = findPythonTool('client')?.python;

/** Runs Python with the sources of the package, without traces there. @throws Error with the end of its output */
export function runPython(args: readonly string[], env: Record<string, string> = {}, cwd = PACKAGE): Promise<string> {
  const paths = { PATH: process.env.PATH, PYTHONPATH: path.join(PACKAGE, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python ?? '', args, { cwd, env: { ...paths, MPLBACKEND: 'agg', ...env } });
  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`python ${args.join(' ')} ended with ${code}:\n${output}`));
    });
  });
}

/** What a process of a new user of the suite has in its environment. */
export async function environmentOf(suite: TestSuite): Promise<Record<string, string>> {
  const user = await suite.newUser();
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { token } = await user.request('POST', '/auth/tokens', {
    body: { name: 'Python', scopes: ['read', 'submit'], expires_at },
  });
  return { TALLY_URL: suite.gatewayUrl, TALLY_TOKEN: token, HOME: suite.directory };
}
