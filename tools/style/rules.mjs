// Rules of STYLE that no linter knows. Each is a function from what is there to sentences of what is wrong.
import path from 'node:path';
import { WORDS } from './words.mjs';

const FILES_MAX = 25;
/** Folders that are logs, in the order of their numbers. */
const LOGS = new Set(['docs/adr']);
const SUBJECT_CHARACTERS_MAX = 72;

/** Folders with more files side by side than STYLE 2 allows. */
export function crowdedFolders(files) {
  const counts = new Map();
  for (const file of files) {
    const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > FILES_MAX && !LOGS.has(folder))
    .map(
      ([folder, count]) => `${folder} has ${count} files: more than ${FILES_MAX}, so make folders by noun (STYLE 2)`,
    );
}

const isOneOf = (file, beginnings) => beginnings.some((beginning) => file.startsWith(beginning));

/** Lines with a word that the glossary replaces. */
export function replacedWords(file, text, words = WORDS) {
  const here = words.filter(
    (rule) => (rule.in === undefined || isOneOf(file, rule.in)) && !isOneOf(file, rule.except ?? []),
  );
  return text.split('\n').flatMap((line, index) =>
    here.flatMap(({ word, instead }) => {
      const found = word.exec(line);
      return found ? [`${file}:${index + 1} says ${found[0]}: ${instead} (docs/glossary.md)`] : [];
    }),
  );
}

const KINDS = 'feat|fix|perf|refactor|test|docs|style|build|ci|chore|revert';
const SUBJECT = new RegExp(`^(?:${KINDS})(?:\\([a-z0-9,-]+\\))?!?: (\\S+)(.*)$`);

/** Verbs in the form of an order, by which a subject begins. Add what is missing. */
const VERBS = new Set(
  `accept add adopt align allow announce answer apply ask assign avoid batch begin bind bound build bump cache call cancel cap
  change check claim clarify clean clear close collect combine compare complete compress compute configure connect convert copy
  correct count cover create cut deadLetter declare decode decide decouple defer define delete deliver deprecate derive describe
  detect disable discard distinguish document drop emit enable encode end enforce ensure escape estimate exclude explain expose
  extend extract fail fall fetch find fix flush fold follow format generate give group guard handle harden hide hold honour
  identify ignore implement import improve include index inline install introduce isolate join keep label lease leave let lift limit
  link lint list load lock log lower make map mark match measure merge migrate mock move name narrow normalise note observe omit
  open order parse pass pause persist pin place plan poll port prefer prepare preserve prevent print process profile propagate
  protect prove provide publish pull push put queue raise read rebuild record recover redact reduce refuse register reject
  release reload remove rename render reorder repeat replace report request require reschedule reset resolve respect restart
  restore restrict retry return reuse revert rewrite rotate round route run sample save say scale schedule score search select
  send separate serve set share shorten show simplify simulate skip sort speed split start state stop store stream strip submit
  support swap switch take test throttle tighten time trace track transport treat trim tune turn type unify unset update upgrade
  upload use validate verify version wait warn widen wrap write`.split(/\s+/),
);

/** Turns of phrase that a reader has to translate. */
const IDIOMS =
  /\b(?:hears?|tells?|told|said|says|speaks?|goes by|word for|words of|nobody|whoever|house|room|stranger|for ever|so to say|under way|by hand|stand-?ins?)\b/i;

/** What is wrong with the subject of a commit. */
export function subjectFaults(subject) {
  const faults = [];
  if (subject.length > SUBJECT_CHARACTERS_MAX)
    faults.push(`has ${subject.length} characters, at most ${SUBJECT_CHARACTERS_MAX}`);
  const [, verb, rest] = SUBJECT.exec(subject) ?? [];
  if (verb === undefined) return [...faults, `is not "type(area): verb …" with a type of ${KINDS}`];
  if (!VERBS.has(verb))
    faults.push(`begins with "${verb}": no verb in the imperative that tools/style/rules.mjs knows`);
  const idiom = IDIOMS.exec(rest);
  if (idiom) faults.push(`says "${idiom[0]}": use a plain term`);
  return faults;
}

const LINK = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;

/** Links of a document to files that are not there; `exists` takes a path from the root. */
export function deadLinks(file, text, exists) {
  const targets = [...text.matchAll(LINK)].map(([, target]) => target).filter((target) => !/^[a-z]+:/.test(target));
  return targets
    .filter((target) => !exists(path.posix.join(path.posix.dirname(file), target)))
    .map((target) => `${file} links to ${target}, which is not there`);
}
