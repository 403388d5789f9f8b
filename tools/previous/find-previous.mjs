// Which commit the previous release is, and how that was decided, in words for people; and how what is built since is called.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const BASE = 'tools/previous/BASE';

/** Output of git, or undefined when it fails. */
function git(root, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** What tools/previous/BASE names; empty: nothing yet. */
function readBase(root) {
  const lines = fs.readFileSync(path.join(root, BASE), 'utf8').split('\n');
  return lines
    .filter((line) => !line.startsWith('#'))
    .join('')
    .trim();
}

/**
 * `{commit, text}` of the previous release, or `{text}` that says why there is nothing to compare with: the last tag `v…`
 * before HEAD, and the commit that tools/previous/BASE names as long as there is no tag after that commit.
 * @param against - any name of a commit instead; throws when there is none of that name
 * @param service - a service that is released alone: its own tags `<service>-v…` count, too
 */
export function findPrevious(root, { against, service } = {}) {
  if (git(root, 'rev-parse', '--git-dir') === undefined) return { text: 'this folder is no checkout of git' };
  const commitOf = (name) => git(root, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  const titleOf = (commit) => git(root, 'log', '-1', '--format=%h %s', commit);
  if (against !== undefined) {
    const commit = commitOf(against);
    if (commit === undefined) throw new Error(`git knows no commit ${against}`);
    return { commit, text: `${against}: ${titleOf(commit)}` };
  }
  const base = readBase(root);
  if (base === '') return { text: `${BASE} names no commit yet, from which contracts and migrations may only grow` };
  const commit = commitOf(base);
  if (commit === undefined)
    return { text: `this clone does not have ${base}, which ${BASE} names (git fetch --unshallow --tags)` };
  const patterns = ['v*', ...(service === undefined ? [] : [`${service}-v*`])];
  const tag = git(root, 'describe', '--tags', '--abbrev=0', ...patterns.map((name) => `--match=${name}`), 'HEAD^');
  if (tag === undefined || git(root, 'merge-base', '--is-ancestor', commit, tag) === undefined)
    return { commit, text: `${BASE}: ${titleOf(commit)}` };
  return { commit: commitOf(tag), text: `release ${tag}` };
}

/**
 * Version of an image that is built here: of its package.json where that is released (HEAD has the tag `v…` or `<service>-v…` of
 * it) and nothing was changed since; else `<next minor version>-<commits since the previous release>-g<commit>`, with `-dirty` for
 * changes that are not committed. Without git it is the version of package.json.
 */
export function imageVersion(root, service, version) {
  const sha = git(root, 'rev-parse', '--short=9', 'HEAD');
  if (sha === undefined) return version;
  const isClean = git(root, 'status', '--porcelain', '--untracked-files=no') === '';
  const tags = git(root, 'tag', '--points-at', 'HEAD').split('\n');
  if (isClean && (tags.includes(`v${version}`) || tags.includes(`${service}-v${version}`))) return version;
  const [major, minor] = version.split('.');
  const { commit } = findPrevious(root, { service });
  const count = git(root, 'rev-list', '--count', commit === undefined ? 'HEAD' : `${commit}..HEAD`);
  return `${major}.${Number(minor) + 1}.0-${count}-g${sha}${isClean ? '' : '-dirty'}`;
}

/** Puts files of a commit into a folder, which is made; `paths` empty: all. */
export function extractCommit(root, commit, folder, ...paths) {
  fs.mkdirSync(folder, { recursive: true });
  const archive = path.join(folder, '.archive.tar');
  for (const [program, ...args] of [
    ['git', 'archive', '--output', archive, commit, ...paths],
    ['tar', '-xf', archive, '-C', folder],
  ]) {
    const { status, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program}: ${stderr || error?.message}`);
  }
  fs.rmSync(archive);
}

/** Files of this folder that match a pattern of git and are as they were in a commit. */
export function unchangedFiles(root, commit, pattern) {
  const list = (...args) => (git(root, ...args, '--', `:(glob)${pattern}`) ?? '').split('\n').filter(Boolean);
  const changed = new Set(list('diff', '--name-only', commit)); // with files that the commit does not have
  return list('ls-files').filter((file) => !changed.has(file));
}
