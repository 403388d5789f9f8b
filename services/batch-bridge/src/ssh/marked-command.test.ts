import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type MarkedCommand, markCommand, type RawResult } from './marked-command.js';

const folder = mkdtempSync(path.join(tmpdir(), 'tally-login-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs a command line as sshd does: by bash, behind this login script. At the first level bash takes the socket of its standard input for
 * a network, and reads the user's own .bashrc besides.
 */
function runBehind(script: string | Buffer, { line }: MarkedCommand): RawResult {
  const file = path.join(folder, 'login-script');
  writeFileSync(file, script);
  const { stdout, stderr, status } = spawnSync('bash', ['-c', line], {
    env: { ...process.env, SHLVL: '2', BASH_ENV: file },
  });
  return { stdout, stderr, exitCode: status ?? -1 };
}

const read = (script: string | Buffer, argv: readonly string[]) => {
  const marked = markCommand(argv);
  return marked.read(runBehind(script, marked));
};
const ANSWER = ['sh', '-c', 'echo 12; echo "an error" >&2; exit 7'];
const answer = { stdout: '12\n', stderr: 'an error\n', exitCode: 7 };

describe('a command behind a login script', () => {
  it.each([
    ['says nothing', '', ''],
    ['greets, with a number', 'echo Welcome; echo 17\n', 'Welcome 17'],
    ['colours without an end of the line', "printf '\\033[31mhello\\033[0m'\n", 'hello'],
    ['sets a title and prints nothing else', "printf '\\033]0;north\\007'\n", 'control characters'],
    ['complains', 'echo "module: command not found" >&2\n', ''],
    ['prints what it runs', 'set -x\necho hello\n', 'hello'],
    ['prints other letters', Buffer.from('printf "Gr\xfc\xdfe"\n', 'latin1'), 'Gr\ufffd\ufffde'],
    ['ends with an error of its own', 'echo hello; false\n', 'hello'],
  ])('that %s answers as if alone', (_, script, printed) => {
    expect(read(script, ANSWER)).toEqual({ result: answer, printed });
  });

  it('that ends before it was not run, whatever it printed', () => {
    for (const script of ['echo "This account is currently not available."; exit 1\n', 'echo 12; exit 0\n']) {
      expect(() => read(script, ANSWER)).toThrow(expect.objectContaining({ reason: 'COMMAND_NOT_RUN' }));
    }
    const refused = () => read('echo "over \u001b[31mquota"; exit 1\n', ANSWER);
    expect(refused).toThrow(expect.objectContaining({ cause: expect.objectContaining({ message: 'over quota' }) }));
    expect(() => read('exit 3\n', ANSWER)).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: 'exit code 3' }) }),
    );
  });

  it('keeps every word as it was given, and has its standard input', () => {
    const hostile = ["'; touch canary; '", '$(touch canary)', '*', '-n', '', '\\', '"'];
    const argv = ['sh', '-c', 'printf "%s|" "$@"', 'sh', ...hostile];
    expect(read('echo hello\n', argv).result.stdout).toBe(hostile.map((word) => `${word}|`).join(''));
  });

  it('is read from whatever came before it', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all));
    fc.assert(
      fc.property(bytes, bytes, (out, err) => {
        const marked = markCommand(['true']);
        const mark = Buffer.from(/tally- ([0-9a-f]{16})/.exec(marked.line)?.slice(1).join('') ?? '');
        const full = Buffer.concat([Buffer.from('tally-'), mark]);
        const raw = {
          stdout: Buffer.concat([out, full, Buffer.from('12\n')]),
          stderr: Buffer.concat([err, full]),
          exitCode: 0,
        };
        expect(marked.read(raw).result).toEqual({ stdout: '12\n', stderr: '', exitCode: 0 });
      }),
    );
  });
});
