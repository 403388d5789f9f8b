// From one release to another, and back.
import { backUp } from './backups.mjs';
import { apply, loadImages, readValues, stopServices } from './install.mjs';
import { installed, VERSION } from './layout.mjs';
import { Fault, output, say } from './system.mjs';

const isNewer = (version, other) => version.localeCompare(other, 'en', { numeric: true }) > 0;

/**
 * Installs this release in the place of the one that runs: a backup first, then its images, migrations and units. When it does not become
 * ready, the former release runs again, on the schema of the new one, which only adds to it.
 */
export async function upgrade() {
  const before = installed();
  if (before === undefined)
    throw new Fault('there is no release here that could be upgraded; run: tally-server init, then up');
  if (before.version === VERSION)
    throw new Fault(`${VERSION} is the release that is installed; run tally-server of the new release's folder`);
  if (isNewer(before.version, VERSION))
    throw new Fault(
      `${before.version} is installed, which is newer than ${VERSION}; to go back run: tally-server rollback`,
    );
  const values = readValues();
  await loadImages(values);
  say(`backup: ${await backUp(values)}`);
  try {
    await stopServices();
    await apply(values);
  } catch (err) {
    say(`${VERSION} does not run (${err.message}); going back to ${before.version} …`);
    await output(`${before.release}/tally-server`, ['up'], { timeout: 900_000 });
    throw new Fault(`${VERSION} did not start, and ${before.version} runs again: ${err.message}`);
  }
  say(`${VERSION} runs; back to ${before.version}: tally-server rollback`);
}

/** The release before this one runs again, with all that was stored since. */
export async function rollback() {
  const { previous } = installed() ?? {};
  if (previous === undefined) throw new Fault('there is no release before this one');
  say(`going back to ${previous.version} …`);
  say(await output(`${previous.release}/tally-server`, ['up'], { timeout: 900_000 }));
}
