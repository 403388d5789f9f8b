// `node tools/image-run.mjs <assembled root> [program args…]`: runs an assembled image as a container would, without Docker:
// user 10001, everything read-only but the runner's working folder, no other file of this machine than Node, its
// libraries and the name service. Needs bubblewrap (`apt-get install bubblewrap`). The service's environment is ours.
// SIGTERM and SIGINT are passed on; the exit code is the service's.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const USER_ID = '10001'; // as in the Dockerfile
const INFO_FD = 3;

const [root, ...given] = process.argv.slice(2);
if (root === undefined) {
  console.error('usage: node tools/image-run.mjs <assembled root> [program args…]');
  process.exit(2);
}
const program = given.length > 0 ? given : ['/usr/local/bin/node', '/app/dist/src/main.js'];
const workDir = process.env.RUNNER_WORK_DIR;
const sandbox = [
  ['--unshare-user', '--uid', USER_ID, '--gid', USER_ID, '--unshare-pid', '--as-pid-1', '--die-with-parent'],
  ['--ro-bind', '/usr/lib', '/usr/lib', '--ro-bind-try', '/usr/lib64', '/usr/lib64'],
  ['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
  ['--ro-bind', fs.realpathSync(process.execPath), '/usr/local/bin/node'],
  ...['/etc/hosts', '/etc/resolv.conf', '/etc/nsswitch.conf'].map((file) => ['--ro-bind-try', file, file]),
  ['--ro-bind', path.join(root, 'app'), '/app', '--proc', '/proc', '--dev', '/dev'],
  workDir === undefined ? [] : ['--bind', workDir, workDir],
  ['--remount-ro', '/', '--chdir', '/app', '--info-fd', String(INFO_FD), '--'],
].flat();

const child = spawn('bwrap', [...sandbox, ...program], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
child.on('error', (err) => {
  console.error(`bubblewrap cannot be started: ${err.message}`);
  process.exit(1);
});
const info = new Promise((resolve) => {
  let text = '';
  child.stdio[INFO_FD].on('data', (part) => {
    text += part;
  });
  child.stdio[INFO_FD].on('end', () => resolve(text === '' ? undefined : JSON.parse(text)['child-pid']));
});
// the service itself, not bubblewrap: that would end without waiting for it
async function passOn(signal) {
  const pid = await info;
  if (pid !== undefined && child.exitCode === null) process.kill(pid, signal);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void passOn(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
