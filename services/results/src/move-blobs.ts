/*
 * A command: moves what is stored in blocks to the object store, or back.
 *   node services/results/dist/src/move-blobs.js objects|database
 * It takes the settings of the service, and goes on where it was when it is run again.
 */
import { createLogger, loadConfig } from '@tally/service-kit';
import { BOUNDS } from './bounds.js';
import { CONFIG_PREFIX, resultsConfigSchema } from './config.js';
import { openDatabase } from './storage/database.js';
import { moveBlobs } from './storage/move-blobs.js';
import { createObjectBlocks } from './storage/object-blocks.js';
import { createS3Store } from './storage/s3-store.js';

/** Blobs between two lines of the log. */
const TELL_EVERY = 100;

const [target] = process.argv.slice(2);
const logger = createLogger({ service: 'results' });
const config = { ...loadConfig(CONFIG_PREFIX, resultsConfigSchema), ...BOUNDS };
if ((target !== 'objects' && target !== 'database') || config.objectStoreUrl === '') {
  logger.error({ target }, 'say where to, objects or database, and set RESULTS_OBJECT_STORE_URL');
  process.exitCode = 2;
} else {
  const db = openDatabase(config);
  const store = await createS3Store(config);
  try {
    let moved = { blobs: 0, bytes: 0 };
    await moveBlobs(db, createObjectBlocks(db, store, config.uploadTimeoutMs), target, (blobs, bytes) => {
      moved = { blobs, bytes };
      if (blobs % TELL_EVERY === 0) logger.info({ ...moved, target }, 'moving');
    });
    logger.info({ ...moved, target }, 'moved');
  } catch (err) {
    logger.error({ err }, 'moving failed; it goes on when it is run again');
    process.exitCode = 1;
  } finally {
    store.close();
    await db.close();
  }
}
