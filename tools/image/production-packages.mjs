// Which packages an image needs, and where in its node_modules each of them has to lie.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';

const readManifest = (dir) => JSON.parse(fs.readFileSync(path.join(dir, 'package.json'), 'utf8'));

/** Real folder of a package as `from` would import it; undefined when it is not installed. */
export function findPackage(name, from) {
  for (const base of createRequire(path.join(from, 'package.json')).resolve.paths(name) ?? []) {
    const dir = path.join(base, name);
    if (fs.existsSync(path.join(dir, 'package.json'))) return fs.realpathSync(dir);
  }
  return undefined;
}

/**
 * What a package needs at run time; types that some list among their dependencies are not. Of the optional ones only
 * programs for this platform, which come as a package for each: they name it in `os` and `cpu`.
 */
function dependenciesOf({ dependencies = {}, optionalDependencies = {} }, dir) {
  const isForPlatform = (name) => {
    const found = findPackage(name, dir);
    return found !== undefined && readManifest(found).cpu?.includes(process.arch) === true;
  };
  return [
    ...Object.keys(dependencies).filter((name) => !name.startsWith('@types/')),
    ...Object.keys(optionalDependencies).filter(isForPlatform),
  ];
}

/** Folders that Node looks into for a package, from the innermost `node_modules` of `place` to the outermost. */
function lookups(place, name) {
  const parts = place === '' ? [] : place.split('/node_modules/');
  const candidates = [];
  for (let depth = parts.length; depth >= 0; depth--) {
    const prefix = parts.slice(0, depth).join('/node_modules/');
    candidates.push(prefix === '' ? name : `${prefix}/node_modules/${name}`);
  }
  return candidates;
}

/**
 * The production dependencies of packages, all the way down. Returns a map from place below `node_modules` (`a`, or
 * `b/node_modules/a` where versions differ) to the package: `{name, version, dir, manifest, dependencies}`, where
 * `dependencies` are places. Development dependencies are left out, and optional ones but for programs for this platform.
 * @param {{name: string, from: string}[]} wanted what to begin with, each as the folder `from` sees it
 */
export function productionPackages(wanted) {
  const packages = new Map();
  const queue = wanted.map(({ name, from }) => ({ name, from, parent: '' }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { name, from, parent } = next;
    const dir = findPackage(name, from);
    if (dir === undefined) throw new Error(`${name} is not installed, but ${from} depends on it`);
    const seen = lookups(parent, name).filter((place) => packages.has(place));
    if (seen.length > 0 && packages.get(seen[0]).dir === dir) continue;
    const place = seen.length === 0 ? name : `${parent}/node_modules/${name}`;
    const manifest = readManifest(dir);
    packages.set(place, { name, version: manifest.version, dir, manifest });
    for (const dependency of dependenciesOf(manifest, dir)) {
      queue.push({ name: dependency, from: dir, parent: place });
    }
  }
  for (const [place, entry] of packages) entry.dependencies = resolvedPlaces(packages, place, entry);
  return packages;
}

/** Where each dependency of a placed package is found; throws if it would find another version than it was built with. */
function resolvedPlaces(packages, place, { name, dir, manifest }) {
  return dependenciesOf(manifest, dir).map((dependency) => {
    const found = lookups(place, dependency).find((candidate) => packages.has(candidate));
    if (found === undefined || packages.get(found).dir !== findPackage(dependency, dir)) {
      throw new Error(`${name} would find the wrong ${dependency} in the image`);
    }
    return found;
  });
}
