import { addAbortSignal, PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client, S3Error, type BucketItem } from 'minio';
import { AppError } from '@stechuhr/kernel';
import type { Bucket } from './bucket.js';
import { errorOfRefusals, throwAsUnavailable, throwUnexplained } from './unavailable.js';
import { measured } from './metrics.js';
import { transportWithTimeout, TIME_LIMITS, type TimeLimits } from './transport.js';

/** The metadata of a stored object. */
export interface ObjectInfo {
  readonly sizeBytes: number;
  readonly contentType: string | undefined;
}

/** An object in a listing. */
export interface ListedObject {
  readonly key: string;
  readonly modifiedAt: Date;
}

/**
 * A bucket of an S3 store. If the store cannot be reached, does not respond in time, or temporarily rejects requests, its methods throw
 * errors that `AppError.from` converts to `unavailable`.
 */
export interface ObjectStore {
  /** Creates the bucket if it does not exist; also fails if the store does not answer. */
  ensureBucket(): Promise<void>;
  /**
   * Stores the data of the source in parts of 8 MiB, so that memory use does not depend on the size. If the source fails, nothing is stored
   * and its error is thrown.
   *
   * @returns the size in bytes
   */
  putStream(key: string, source: AsyncIterable<Uint8Array>, contentType: string): Promise<number>;
  /**
   * Starts reading an object; aborting the signal or destroying the stream ends the transfer.
   *
   * @throws AppError `not_found` if it does not exist
   */
  getStream(key: string, signal: AbortSignal): Promise<Readable>;
  /** Copies an object within the store, replacing an existing one. @returns false if there is no object to copy */
  copy(from: string, to: string): Promise<boolean>;
  /** Removes the object if it exists. */
  remove(key: string): Promise<void>;
  /**
   * Removes the parts of an interrupted upload of the object, for example after its process was killed. Does nothing if the credentials do
   * not permit it.
   */
  removeParts(key: string): Promise<void>;
  /**
   * Removes all objects whose keys begin with the prefix.
   *
   * @param proceed asked when some objects have been listed, before they are removed
   * @returns false if `proceed` has stopped it
   */
  removeAll(prefix: string, proceed?: () => Promise<boolean>): Promise<boolean>;
  /** Lists the objects whose keys begin with the prefix, sorted by key. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Returns `undefined` if the object does not exist. */
  stat(key: string): Promise<ObjectInfo | undefined>;
}

const PART_SIZE_BYTES = 8 * 1024 * 1024;

/** Creates a client for a bucket; no request is sent before the first call. */
export function connectObjectStore(options: Bucket, limits: TimeLimits = TIME_LIMITS): ObjectStore {
  const { endpoint, accessKey, secretKey, bucket, region = 'us-east-1' } = options;
  const { hostname, port, protocol } = new URL(endpoint);
  const client = new Client({
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL: protocol === 'https:',
    transport: transportWithTimeout(protocol === 'https:', limits),
    accessKey,
    secretKey,
    region,
    partSize: PART_SIZE_BYTES,
    // No retries: a retried part would be empty, because its stream has been consumed, and the client logs retries to the console.
    retryOptions: { disableRetry: true },
  });
  return {
    async ensureBucket() {
      if (await client.bucketExists(bucket).catch(throwUnexplained)) return;
      await client.makeBucket(bucket, region).catch(ignore('BucketAlreadyOwnedByYou')).catch(throwAsUnavailable);
    },
    putStream(key, source, contentType) {
      const { chunks, hasFailed } = observed(source);
      return measured('put', () => putStream(client, { bucket, key, source: chunks, contentType }), hasFailed).catch(throwAsUnavailable);
    },
    async getStream(key, signal) {
      signal.throwIfAborted();
      const get = () => client.getObject(bucket, key).catch(ignore('NotFound', 'NoSuchKey'));
      const found = await measured('get', get).catch(throwAsUnavailable);
      if (found === undefined) throw new AppError('not_found', 'There is no such object.');
      return addAbortSignal(signal, found);
    },
    async copy(from, to) {
      const copy = () => client.copyObject(bucket, to, `/${bucket}/${from}`).catch(ignore('NotFound', 'NoSuchKey'));
      return (await measured('copy', copy).catch(throwAsUnavailable)) !== undefined;
    },
    remove: (key) => measured('remove', () => client.removeObject(bucket, key)).catch(throwAsUnavailable),
    async removeParts(key) {
      const remove = () => client.removeIncompleteUpload(bucket, key).catch(ignore('NoSuchUpload', 'NotFound', 'AccessDenied'));
      await measured('remove', remove).catch(throwAsUnavailable);
    },
    removeAll: (prefix, proceed) => measured('remove', () => removeAll(client, { bucket, prefix, proceed })).catch(throwAsUnavailable),
    list: (prefix) => list(client, bucket, prefix),
    async stat(key) {
      const stat = () => client.statObject(bucket, key).catch(ignore('NotFound', 'NoSuchKey'));
      const found = await measured('stat', stat).catch(throwUnexplained);
      return found && { sizeBytes: found.size, contentType: found.metaData['content-type'] as string | undefined };
    },
  };
}

async function* list(client: Client, bucket: string, prefix: string): AsyncGenerator<ListedObject, void, undefined> {
  try {
    for await (const item of client.listObjectsV2(bucket, prefix, true) as AsyncIterable<BucketItem>) {
      if (item.name !== undefined) yield { key: item.name, modifiedAt: item.lastModified };
    }
  } catch (caught) {
    throwAsUnavailable(caught);
  }
}

/** Maximum number of keys in one request. */
const MAX_KEYS_PER_REQUEST = 1_000;

interface Removal {
  readonly bucket: string;
  readonly prefix: string;
  readonly proceed: (() => Promise<boolean>) | undefined;
}

async function removeAll(client: Client, { bucket, prefix, proceed }: Removal): Promise<boolean> {
  let some: string[] = [];
  const remove = async (): Promise<boolean> => {
    if (some.length === 0) return true;
    if ((await proceed?.()) === false) return false;
    const failed = await client.removeObjects(bucket, some);
    const lasting = new Error(`${failed.length} of ${some.length} objects under ${prefix} could not be removed`);
    if (failed.length > 0) throw errorOfRefusals(failed, lasting);
    some = [];
    return true;
  };
  for await (const { key } of list(client, bucket, prefix)) {
    some.push(key);
    if (some.length === MAX_KEYS_PER_REQUEST && !(await remove())) return false;
  }
  return remove();
}

interface Upload {
  readonly bucket: string;
  readonly key: string;
  readonly source: AsyncIterable<Uint8Array>;
  readonly contentType: string;
}

/** Yields the chunks of a source, and knows whether it has failed. */
function observed(source: AsyncIterable<Uint8Array>): { readonly chunks: AsyncIterable<Uint8Array>; hasFailed(): boolean } {
  let hasFailed = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (caught) {
      hasFailed = true;
      throw caught;
    }
  }
  return { chunks: chunks(), hasFailed: () => hasFailed };
}

async function putStream(client: Client, upload: Upload): Promise<number> {
  const chunks = upload.source[Symbol.asyncIterator]();
  const start: Uint8Array[] = [];
  let sizeBytes = 0;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    start.push(next.value);
    sizeBytes += next.value.byteLength;
    if (sizeBytes > PART_SIZE_BYTES) return putParts(client, upload, start, chunks);
  }
  // Data that fits into one part takes one request instead of three; a multipart upload needs at least one part.
  await client.putObject(upload.bucket, upload.key, Buffer.concat(start), sizeBytes, { 'Content-Type': upload.contentType });
  return sizeBytes;
}

async function putParts(
  client: Client,
  { bucket, key, contentType }: Upload,
  start: Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): Promise<number> {
  const body = new PassThrough();
  let sizeBytes = 0;
  const counted = async function* () {
    for await (const chunk of chained(start, rest)) {
      sizeBytes += chunk.byteLength;
      yield chunk;
    }
  };
  const upload = client.putObject(bucket, key, body, undefined, { 'Content-Type': contentType });
  try {
    // The client does not notice if the source fails and would wait forever, so both are awaited.
    await Promise.all([upload, pipeline(Readable.from(counted()), body)]);
  } catch (caught) {
    body.destroy();
    upload.catch(() => undefined);
    await client.removeIncompleteUpload(bucket, key).catch(() => undefined);
    throw caught;
  }
  return sizeBytes;
}

/** Yields the chunks that have already been read, then the others; leaving the loop ends the source. */
async function* chained(start: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* start.splice(0);
  yield* { [Symbol.asyncIterator]: () => rest };
}

function ignore(...codes: readonly string[]): (caught: unknown) => undefined {
  return (caught) => {
    if (caught instanceof S3Error && codes.includes(caught.code ?? '')) return undefined;
    throw caught;
  };
}
