import type { LocalCopies, LocalCopy } from './keeper.js';

const DATABASE = 'tally-projects';
const STORE = 'copies';

let database: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => {
      database = undefined;
      reject(request.error ?? new Error('no database in this browser'));
    });
  });
  return database;
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const store = (await open()).transaction(STORE, mode).objectStore(STORE);
  const request = act(store);
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')));
  });
}

/** Unsent projects in the browser's own database, by user and project. */
export function createLocalCopies(username: string): LocalCopies {
  const keyOf = (key: string): string => `${username}/${key}`;
  return {
    // what this page has written is what it reads
    read: async (key) => (await run<unknown>('readonly', (store) => store.get(keyOf(key)))) as LocalCopy | undefined,
    async write(key, copy) {
      if (copy === undefined) await run('readwrite', (store) => store.delete(keyOf(key)));
      else await run('readwrite', (store) => store.put(copy, keyOf(key)));
    },
  };
}
