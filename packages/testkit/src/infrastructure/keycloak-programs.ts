import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { canInstallPackages, installPackages } from './debian-packages.js';
import { cacheFolder } from './go-programs.js';

const VERSION = '26.7.3';
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';
const PACKAGES = ['default-jre-headless', 'maven'];
/** A database in a file, no cluster. Fixed when Keycloak is built, which takes longer than its start. */
const BUILD = ['build', '--db=dev-file', '--cache=local'];
const TIME_LIMIT_MS = 600_000;
const MESSAGE_CHARACTERS_MAX = 200;

const folder = () => cacheFolder('keycloak', VERSION);
const has = (program: string) => spawnSync(program, ['-version'], { stdio: 'ignore' }).status === 0;

/** Keycloak's start script, if {@link provideKeycloak} has installed it and there is a Java. */
export function findKeycloak(): string | undefined {
  const script = path.join(folder(), 'bin/kc.sh');
  return existsSync(script) && has('java') ? script : undefined;
}

/**
 * Installs Keycloak from Maven Central into the user's cache unless it is there, Java and Maven from Debian before it
 * where we may. Where it cannot, says why in one line: its tests are skipped.
 */
export async function provideKeycloak(log?: (line: string) => void): Promise<void> {
  if (findKeycloak() !== undefined) return;
  try {
    if (!(has('java') && has('mvn'))) {
      if (!canInstallPackages()) throw new Error(`there is no Java or no Maven; install ${PACKAGES.join(' and ')}`);
      log?.(`installing ${PACKAGES.join(' and ')}`);
      await installPackages(PACKAGES);
    }
    if (findKeycloak() === undefined) await install(log);
  } catch (err) {
    const reason = (err instanceof Error ? err.message : String(err)).trim().slice(-MESSAGE_CHARACTERS_MAX);
    log?.(`no Keycloak from Maven Central, and tests of it are skipped: ${reason}`);
  }
}

/** Into a folder of its own, which gets its name when it is whole. */
async function install(log?: (line: string) => void): Promise<void> {
  log?.(`installing ${ARTIFACT} into ${folder()}`);
  mkdirSync(path.dirname(folder()), { recursive: true });
  const growing = mkdtempSync(`${folder()}.`);
  const run = promisify(execFile);
  try {
    const unpack = ['-B', '-q', UNPACK, `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${growing}`];
    await run('mvn', unpack, { cwd: growing, timeout: TIME_LIMIT_MS });
    const home = path.join(growing, `keycloak-${VERSION}`);
    await run('sh', [path.join(home, 'bin/kc.sh'), ...BUILD], { timeout: TIME_LIMIT_MS });
    if (!existsSync(folder())) renameSync(home, folder());
  } finally {
    rmSync(growing, { recursive: true, force: true });
  }
}
