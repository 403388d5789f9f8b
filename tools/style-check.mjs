// What STYLE asks for and no linter knows: folders of at most 25 files, the glossary's words, links of documents that lead
// somewhere. Prints everything that is wrong, and fails.
//   --commits   checks the subjects of the commits since the previous release, too
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findPrevious } from './previous/find-previous.mjs';
import { crowdedFolders, deadLinks, replacedWords, subjectFaults } from './style/rules.mjs';

const root = path.join(import.meta.dirname, '..');

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined;
}

const READ = /\.(?:tsx?|mjs|cjs|md|proto|prisma|sql|yaml|tpl|sh|py)$/;
/** Subjects of commits since the previous release, which may be on main already; none where git does not know that release. */
function newSubjects() {
  const { commit } = findPrevious(root);
  return commit === undefined ? [] : git('log', '--no-merges', '--format=%s', `${commit}..HEAD`);
}

/** Migrations and changelogs tell history; this check names the words. */
const HISTORY = /\/migrations\/|CHANGELOG\.md$|^tools\/style\/|\/style-rules\.test\.ts$/;

const files = git('ls-files');
if (files === undefined) {
  console.log('no git repository: nothing to compare');
  process.exit(0);
}
const faults = crowdedFolders(files);
const exists = (file) => fs.existsSync(path.join(root, file));
for (const file of files.filter((name) => READ.test(name) && exists(name))) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  if (!HISTORY.test(file)) faults.push(...replacedWords(file, text));
  if (file.endsWith('.md')) faults.push(...deadLinks(file, text, exists));
}
const { values } = parseArgs({ options: { commits: { type: 'boolean', default: false } } });
for (const subject of values.commits ? newSubjects() : []) {
  faults.push(...subjectFaults(subject).map((fault) => `commit "${subject}" ${fault}`));
}
for (const fault of faults) console.error(fault);
console.log(`${files.length} files, ${faults.length} faults of style`);
process.exit(faults.length === 0 ? 0 : 1);
