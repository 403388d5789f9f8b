// What of the protos' contract is broken since another release, beyond what may go: an RPC that the other release calls
// deprecated, and the messages that only such RPCs reach.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buf, loadFiles, runBuf } from './load-contracts.mjs';

/** Full names of a message and of all that its fields hold. */
function reach(message, reached) {
  if (reached.has(message.typeName)) return reached;
  reached.add(message.typeName);
  for (const { message: held } of message.fields) if (held !== undefined) reach(held, reached);
  return reached;
}

/** Names, as buf quotes them, of what may be deleted after this release. */
function deletable(files) {
  const methods = files.flatMap((file) => file.services.flatMap((service) => service.methods));
  const reached = new Set();
  for (const { deprecated, input, output } of methods) if (!deprecated) reach(output, reach(input, reached));
  return {
    RPC_NO_DELETE: new Set(methods.filter((method) => method.deprecated).map(({ name }) => name)),
    MESSAGE_NO_DELETE: new Set(
      files.flatMap((file) =>
        file.messages
          .filter(({ typeName }) => !reached.has(typeName))
          .map(({ typeName }) => typeName.slice(file.proto.package.length + 1)),
      ),
    ),
  };
}

/** Faults of `proto/` against another input of buf (a folder, or a branch of git), as lines. */
export function findBreaking(against) {
  const workDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-breaking-'));
  try {
    const image = path.join(workDir, 'image.binpb');
    buf('build', against, '--output', image);
    const mayGo = deletable(loadFiles(image));
    const { status, stdout, stderr } = runBuf('breaking', 'proto', '--against', image, '--error-format', 'json');
    if (status !== 0 && stdout === '') return [stderr.trim()];
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ type, message }) => !mayGo[type]?.has(/"([^"]+)"/.exec(message)?.[1]))
      .map((fault) => `${fault.path}: ${fault.message} (${fault.type})`);
  } finally {
    fs.rmSync(workDir, { recursive: true });
  }
}
