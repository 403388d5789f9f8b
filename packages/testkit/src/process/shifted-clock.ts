import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * Loaded into a process before its program (`node --import`): its wall clock is wrong by as many milliseconds as the file
 * `clock-<pid>` in the folder TALLY_CLOCK_FOLDER says, and right while there is none. What runs for a time (timers,
 * performance.now()) is not touched, as when somebody sets the clock of a machine.
 */

const LOOK_INTERVAL_MS = 20;
const file = path.join(process.env.TALLY_CLOCK_FOLDER ?? '', `clock-${process.pid}`);
const RealDate = Date;
const realNow = Date.now;
let offsetMs = 0;

setInterval(() => {
  offsetMs = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}, LOOK_INTERVAL_MS).unref();
Date.now = () => realNow() + offsetMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [], newTarget) =>
    args.length > 0 ? (Reflect.construct(target, args, newTarget) as Date) : new RealDate(Date.now()),
  apply: () => new RealDate(Date.now()).toString(),
});
