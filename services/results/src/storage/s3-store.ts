import { proxyAgentFor } from '@tally/service-kit';
import { fail } from '../domain/errors.js';
import type { ObjectStore } from './object-store.js';

/** Where the objects are, and by whose keys. */
export interface S3Settings {
  /** `https://host[:port]/bucket[/prefix]`, without credentials. */
  readonly objectStoreUrl: string;
  readonly objectStoreRegion: string;
  /** Empty, with the next one: what the SDK finds, for example the role of the machine. */
  readonly objectStoreAccessKey: string;
  readonly objectStoreSecretKey: string;
  readonly objectStoreTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** Address of the server, bucket, and what keys begin with, of the URL. */
export function readObjectStoreUrl(text: string) {
  const { origin, pathname } = new URL(text);
  const [bucket = '', ...folders] = pathname.split('/').filter((part) => part !== '');
  return { endpoint: origin, bucket, prefix: folders.map((folder) => `${folder}/`).join('') };
}

/** RFC 9110 section 14.4. */
const isRange = (text: string | undefined, from: number, to: number): boolean =>
  text?.startsWith(`bytes ${from}-${to - 1}/`) === true;

/**
 * Objects of an S3 server. An answer counts only if S3 gives it to such a request: a proxy on the way may say anything. The SDK is
 * loaded when it is asked for; it repeats what failed on its way.
 */
export async function createS3Store(settings: S3Settings): Promise<ObjectStore> {
  const { DeleteObjectsCommand, GetObjectCommand, ListObjectsV2Command, NoSuchKey, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3');
  const { endpoint, bucket, prefix } = readObjectStoreUrl(settings.objectStoreUrl);
  const { objectStoreAccessKey: accessKeyId, objectStoreSecretKey: secretAccessKey } = settings;
  const agent = await proxyAgentFor(endpoint);
  const client = new S3Client({
    endpoint,
    region: settings.objectStoreRegion,
    forcePathStyle: true,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: settings.objectStoreTimeoutMs,
      ...(agent === undefined ? {} : { httpAgent: agent, httpsAgent: agent }),
    },
    ...(accessKeyId === '' ? {} : { credentials: { accessKeyId, secretAccessKey } }),
    // servers of others know no checksums in trailers; whole bodies go with a SHA-256
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const of = (key: string) => ({ Bucket: bucket, Key: prefix + key });
  const orUnavailable = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      throw fail('OBJECT_STORE_UNAVAILABLE', { cause });
    }
  };
  return {
    put: (key, content) =>
      orUnavailable(async () => {
        const body = { Body: content, ContentLength: content.byteLength };
        const { ETag } = await client.send(new PutObjectCommand({ ...of(key), ...body }));
        // a page with status 200 of whoever stands between has none
        if (ETag === undefined) throw new Error('the answer to a PUT has no ETag');
      }),
    read: (key, from, to) =>
      orUnavailable(async () => {
        try {
          const Range = `bytes=${from}-${to - 1}`;
          const { Body, ContentRange } = await client.send(new GetObjectCommand({ ...of(key), Range }));
          const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
          if (!isRange(ContentRange, from, to) || bytes.byteLength !== to - from)
            throw new Error(`the answer has ${bytes.byteLength} bytes, ${ContentRange ?? 'of no range'}, not ${Range}`);
          return bytes;
        } catch (err) {
          if (err instanceof NoSuchKey) return undefined;
          throw err;
        }
      }),
    removeAll: (start) =>
      orUnavailable(async () => {
        for (let before: string | undefined; ; ) {
          const listed = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix + start }));
          if (listed.Name === undefined) throw new Error('the answer is no list of a bucket');
          const keys = (listed.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
          if (keys.length === 0) return;
          if (keys[0]?.Key === before) throw new Error(`not deleted: ${before}`);
          before = keys[0]?.Key;
          const { Errors } = await client.send(
            new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys, Quiet: true } }),
          );
          if (Errors !== undefined && Errors.length > 0)
            throw new Error(`not deleted: ${Errors[0]?.Code} ${Errors[0]?.Key}`);
        }
      }),
    close: () => client.destroy(),
  };
}
