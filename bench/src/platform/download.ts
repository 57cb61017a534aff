import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface DownloadOptions {
  readonly url: string;
  /** The API token; omitted for a signed URL. */
  readonly token?: string;
  /** Whether the body is hashed. */
  readonly digest?: boolean;
  /** Limits the reading speed; unlimited by default. */
  readonly bytesPerSecond?: number;
}

export interface Downloaded {
  readonly bytes: number;
  readonly wallMs: number;
  readonly firstByteMs: number;
  readonly digest?: string;
}

/** Reads a response to its end and discards it. @throws Error if the status is not 200 or the connection breaks off */
export async function download(options: DownloadOptions): Promise<Downloaded> {
  const startedAt = performance.now();
  const response = await open(options);
  const hash = options.digest === true ? createHash('sha256') : undefined;
  let firstByteMs = 0;
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    if (bytes === 0) firstByteMs = performance.now() - startedAt;
    bytes += chunk.byteLength;
    hash?.update(chunk);
    if (options.bytesPerSecond === undefined) continue;
    const dueMs = (bytes / options.bytesPerSecond) * 1000 - (performance.now() - startedAt);
    if (dueMs > 1) await sleep(dueMs);
  }
  const wallMs = performance.now() - startedAt;
  return { bytes, wallMs, firstByteMs, ...(hash === undefined ? {} : { digest: hash.digest('hex') }) };
}

async function open({ url, token }: DownloadOptions): Promise<IncomingMessage> {
  const headers = token === undefined ? {} : { authorization: `Token ${token}` };
  const [response] = (await once(request(url, { agent: false, headers }).end(), 'response')) as [IncomingMessage];
  if (response.statusCode === 200) return response;
  const problem = await response.toArray();
  throw new Error(`${url} was answered with ${response.statusCode}: ${problem.join('')}`);
}
