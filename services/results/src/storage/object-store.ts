/** Objects under keys; a key is written once. Fails with ServiceError OBJECT_STORE_UNAVAILABLE. */
export interface ObjectStore {
  put(key: string, content: Buffer): Promise<void>;
  /** Bytes from one place up to, not including, another; undefined: there is no such object. */
  read(key: string, from: number, to: number): Promise<Buffer | undefined>;
  /** Removes all objects whose keys begin so; none is OK. */
  removeAll(prefix: string): Promise<void>;
  close(): void;
}
