/* In the place of packages/engine/src/engine-assets.ts: the transport module comes from the gateway. */
import wasm from '../../../../engine/dist/engine.wasm?url';

let bytes: Uint8Array | undefined;

/** Loads the transport module; what needs it works from then on. */
export async function loadTransportModule(): Promise<void> {
  if (bytes !== undefined) return;
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`the engine could not be loaded: ${response.status}`);
  bytes = new Uint8Array(await response.arrayBuffer());
}

export function readTransportModule(): Uint8Array {
  if (bytes === undefined) throw new Error('the engine has not been loaded');
  return bytes;
}

export const findEngineFile = (name: string): string => name;
export const engineWorkerUrl = (): URL => new URL(location.href);
