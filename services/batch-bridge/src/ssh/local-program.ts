import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { LocalProgram, Programs } from '../domain/ports.js';

/** Hexadecimal digits of the checksum in a name: enough to distinguish versions. */
const NAME_DIGITS = 16;

async function describeProgram(localPath: string, name: string, ending: string): Promise<LocalProgram> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(localPath), hash);
  const sha256 = hash.digest('hex');
  const { size: sizeBytes } = await stat(localPath);
  return { localPath, sha256, sizeBytes, name: `${name}-${sha256.slice(0, NAME_DIGITS)}${ending}` };
}

/**
 * The programs that nodes run: the batch helper, and the Node.js of this process for clusters without one. They are read
 * once, when they are first asked for.
 * @param helperPath - where the built helper is; throws where it is not
 */
export function localPrograms(helperPath: () => string, nodePath: string): Programs {
  let found: ReturnType<Programs['find']> | undefined;
  const describe = async () => {
    const helper = await describeProgram(helperPath(), 'helper', '.mjs');
    return { helper, node: await describeProgram(nodePath, 'node', '') };
  };
  return {
    find() {
      found ??= describe().catch((err: unknown) => {
        found = undefined; // tried again the next time
        throw err;
      });
      return found;
    },
  };
}
