// `pnpm check:contracts [--against <commit>] [--service <service>]`: services of this release talk to services of the previous one. buf compares
// the protos; random messages of every type go through the generated code of both releases, both ways; every RPC is there
// as it was. Two changes that break it are made and must be noticed. The last line is "N passed, N failed".
//   --report F   the two numbers also as JSON
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { messageFaults, methodFaults, newEnumValues } from './previous/compare-contracts.mjs';
import { findBreaking } from './previous/find-breaking.mjs';
import { extractCommit, findPrevious } from './previous/find-previous.mjs';
import { loadContracts } from './previous/load-contracts.mjs';

const root = path.join(import.meta.dirname, '..');
const MESSAGES = 100;
const PROTO = 'jobs/v1/jobs_service.proto';
/** Changes that must not go unnoticed, as edits of PROTO. */
const MISTAKES = {
  'a field with another number': (text) => text.replace(/(string job_id = )(\d+);/g, '$190$2;'),
  'a field of another type': (text) => text.replace(/string job_id = (\d+);/g, 'bytes job_id = $1;'),
  'an RPC that is gone': (text) => text.replace(/^ {2}rpc GetJob\([^{;]*(;|\{[^}]*\})/m, ''),
};

const { values: options } = parseArgs({
  options: { against: { type: 'string' }, service: { type: 'string' }, report: { type: 'string' } },
});
const counts = { passed: 0, failed: 0 };

function check(name, faults) {
  counts[faults.length === 0 ? 'passed' : 'failed'] += 1;
  console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${name}${faults.map((f) => `\n         ${f}`).join('')}`);
}

/** The contracts of this folder with one edit. */
async function withMistake(edit, folder) {
  const protoDir = path.join(folder, 'proto');
  fs.cpSync(path.join(root, 'proto'), protoDir, { recursive: true });
  const file = path.join(protoDir, PROTO);
  const text = fs.readFileSync(file, 'utf8');
  if (edit(text) === text) throw new Error(`nothing to spoil in ${PROTO}`);
  fs.writeFileSync(file, edit(text));
  return loadContracts(protoDir, path.join(folder, 'code'));
}

async function compare(previousDir, workDir) {
  const previous = await loadContracts(path.join(previousDir, 'proto'), path.join(workDir, 'previous'));
  const now = await loadContracts(path.join(root, 'proto'), path.join(workDir, 'now'));
  check('buf finds nothing that breaks', findBreaking(path.join(previousDir, 'proto')));
  check(`every RPC is as it was (${previous.methods.size})`, methodFaults(previous, now));
  const name = `messages of each release are understood by the other (${previous.messages.size} types, ${MESSAGES} each way)`;
  check(name, messageFaults(previous, now, MESSAGES));
  for (const [mistake, edit] of Object.entries(MISTAKES)) {
    const spoilt = await withMistake(edit, path.join(workDir, mistake.replaceAll(' ', '-')));
    const found = [...methodFaults(now, spoilt), ...messageFaults(now, spoilt, MESSAGES)];
    check(`a mistake is noticed: ${mistake}`, found.length > 0 ? [] : ['nobody noticed']);
  }
  for (const value of newEnumValues(previous, now)) {
    console.log(`note   ${value} is new: the previous release refuses an answer or request that says it`);
  }
}

const { commit, text } = findPrevious(root, options);
if (commit === undefined) console.log(`nothing to compare with: ${text}`);
else {
  console.log(`previous release: ${text}`);
  const workDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-contracts-'));
  try {
    extractCommit(root, commit, path.join(workDir, 'checkout'), 'proto');
    await compare(path.join(workDir, 'checkout'), workDir);
  } finally {
    fs.rmSync(workDir, { recursive: true, force: true });
  }
}
if (options.report !== undefined) fs.writeFileSync(options.report, JSON.stringify(counts));
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
