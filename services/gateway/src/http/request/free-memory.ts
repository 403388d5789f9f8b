/**
 * Gives back the memory of an array that nobody reads any more, where Node can (22 and later); the array is empty afterwards. It
 * would be kept until a full collection finds the array, and a body of 223 MB comes before the next one. Memory that the
 * array shares with others is kept.
 */
export function freeMemory(array: Uint8Array): void {
  const memory = array.buffer as ArrayBuffer & {
    /** ES2024: the same bytes in memory of another length; what had them before has none. */
    transfer?(byteLength: number): ArrayBuffer;
  };
  if (array.byteLength === memory.byteLength) memory.transfer?.(0);
}
