import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;

function readOwner(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined; // released a moment ago
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return err.code === 'EPERM';
  }
}

/** Takes the file as this process's; false if another living process has it. A dead one's is taken over. */
function tryLock(file) {
  // linked into place, so that nobody ever sees a lock without its owner
  const own = `${file}.${process.pid}`;
  fs.writeFileSync(own, String(process.pid));
  try {
    fs.linkSync(own, file);
    return true;
  } catch (err) {
    if (err.code !== 'EEXIST') throw err;
    const owner = readOwner(file);
    if (owner !== undefined && !isAlive(owner)) {
      // Moved away first: of two that see the same dead owner, one moves it. The slower one may catch the lock of
      // somebody who came in meanwhile, and puts it back.
      const stale = `${file}.stale.${process.pid}`;
      fs.renameSync(file, stale);
      if (readOwner(stale) !== owner) fs.linkSync(stale, file);
      fs.rmSync(stale);
    }
    return false;
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/** Runs `work` while no other process of this machine runs one under the same lock file; waits for its turn. */
export async function withLock(file, onWait, work) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  let hasWaited = false;
  for (;;) {
    try {
      if (tryLock(file)) break;
    } catch (err) {
      if (err.code !== 'ENOENT') throw err; // another one moved the stale lock away first
    }
    if (!hasWaited) onWait(readOwner(file));
    hasWaited = true;
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}
