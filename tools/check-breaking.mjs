// `node tools/check-breaking.mjs <input of buf>`: contracts may only grow; what the other side calls deprecated may go.
import { findBreaking } from './previous/find-breaking.mjs';

const faults = findBreaking(process.argv[2]);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
