// `npm run setup`, and what `npm run demo` and `npm test` do first: from a fresh clone to a suite that can be started.
// Plain Node, nothing installed yet. Skips what has not changed, in under 2 s when nothing has.
import fs from 'node:fs';
import path from 'node:path';
import { fingerprint } from './setup/fingerprint.mjs';
import { withLock } from './setup/lock.mjs';
import { setupSteps } from './setup/steps.mjs';

const NODE_MIN = [20, 19];

const root = path.join(import.meta.dirname, '..');
const stateDir = path.join(root, '.tally', 'setup');
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  throw new Error(`Node ${NODE_MIN.join('.')} or later is needed, this is ${process.version}`);
}

function isDone(step, stampFile, hash) {
  const stamp = fs.existsSync(stampFile) ? fs.readFileSync(stampFile, 'utf8') : '';
  return stamp === hash && step.outputs.every((output) => fs.existsSync(path.join(root, output)));
}

async function runStep(step) {
  const stampFile = path.join(stateDir, step.name.replace(/\W+/g, '-'));
  const hash = fingerprint(root, step.inputs, step.accepts);
  if (isDone(step, stampFile, hash)) return false;
  const start = performance.now();
  process.stdout.write(`  ${step.name} …`);
  fs.rmSync(stampFile, { force: true });
  try {
    await step.run();
  } catch (err) {
    process.stdout.write(` failed after ${seconds(start)}\n`);
    throw err;
  }
  fs.writeFileSync(stampFile, hash);
  process.stdout.write(` ${seconds(start)}\n`);
  return true;
}

async function setUp() {
  const start = performance.now();
  let count = 0;
  for (const step of setupSteps(root)) {
    if (await runStep(step)) count += 1;
  }
  console.log(count === 0 ? `set-up: nothing to do (${seconds(start)})` : `set-up: done (${seconds(start)})`);
}

try {
  checkNode();
  const onWait = (pid) => console.log(`waiting for another set-up to end (process ${pid ?? 'just ended'})`);
  await withLock(path.join(stateDir, 'lock'), onWait, setUp);
} catch (err) {
  console.error(err.name === 'CommandError' ? err.message : `set-up failed: ${err.message}`);
  process.exitCode = 1;
}
