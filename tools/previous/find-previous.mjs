// Which commit the previous release is, and how that was decided, in words for people.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Output of git, or undefined when it fails. */
function git(root, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * `{commit, text}` of the previous release, or `{text}` that says why it is not here.
 * The last tag `v…` before HEAD; before there is any, the commit before `proto/` last changed, so that there is
 * something to compare. @param against - any name of a commit instead; throws when there is none of that name
 */
export function findPrevious(root, against) {
  if (git(root, 'rev-parse', '--git-dir') === undefined) return { text: 'this is no git checkout' };
  const name = (commit) => git(root, 'log', '-1', '--format=%h %s', commit);
  if (against !== undefined) {
    const commit = git(root, 'rev-parse', '--verify', '--quiet', `${against}^{commit}`);
    if (commit === undefined) throw new Error(`git knows no commit ${against}`);
    return { commit, text: `${against}: ${name(commit)}` };
  }
  const tag = git(root, 'describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^');
  if (tag !== undefined) return { commit: git(root, 'rev-parse', `${tag}^{commit}`), text: `release ${tag}` };
  const isShallow = git(root, 'rev-parse', '--is-shallow-repository') === 'true';
  const isChanged = git(root, 'status', '--porcelain', '--', 'proto') !== '';
  const last = git(root, 'log', '-1', '--format=%H', '--', 'proto');
  const commit = git(root, 'rev-parse', '--verify', '--quiet', isChanged ? 'HEAD' : `${last}^`);
  if (commit !== undefined) {
    const why = isChanged ? 'HEAD, below the changes of this folder' : 'the commit before proto/ last changed';
    return { commit, text: `there is no release yet; ${why}: ${name(commit)}` };
  }
  if (isShallow) return { text: 'a shallow clone without the release before: git fetch --unshallow --tags' };
  return { text: 'there is neither a release nor an earlier commit' };
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
