import { connect } from 'node:net';
import { percentile } from '../../harness/statistics.js';

/** An HTTP request. */
export interface LoadRequest {
  readonly path: string;
  readonly method?: string;
  /** A JSON body. */
  readonly body?: string;
}

export interface Load {
  readonly port: number;
  /** The request to repeat, or a function that returns the next one. */
  readonly request: LoadRequest | (() => LoadRequest);
  readonly token?: string;
  /** Number of connections, each of which has one request in flight. */
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

export interface LoadResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rps: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '\r\n0\r\n\r\n';

/** Sends requests continuously. It uses plain sockets, because a client library would take more CPU time than the servers. */
export async function load(options: Load): Promise<LoadResult> {
  const begins = performance.now() + options.warmUpMs;
  const ends = begins + options.measuredMs;
  const times: number[] = [];
  await Promise.all(Array.from({ length: options.connections }, () => sendUntilEnd(options, { begins, ends, times })));
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), rps: (times.length / options.measuredMs) * 1000 };
}

function sendUntilEnd({ port, request, token }: Load, { begins, ends, times }: Period): Promise<void> {
  const authorization = token === undefined ? '' : `Authorization: Token ${token}\r\n`;
  const headers = `Host: 127.0.0.1:${port}\r\nAccept: application/json\r\n${authorization}`;
  const same = typeof request === 'function' ? undefined : serialize(request, headers);
  const next = typeof request === 'function' ? () => serialize(request(), headers) : undefined;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const responses = new ResponseParser();
    let sentAt = 0;
    const send = (): void => {
      const bytes = same ?? next?.() ?? '';
      sentAt = performance.now();
      socket.write(bytes);
    };
    socket.on('connect', send).on('error', reject);
    socket.on('data', (chunk) => {
      try {
        if (!responses.add(chunk)) return;
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
        return;
      }
      const now = performance.now();
      if (sentAt >= begins && now <= ends) times.push(now - sentAt);
      if (now < ends) send();
      else socket.end(() => resolve());
    });
  });
}

function serialize({ method = 'GET', path, body }: LoadRequest, headers: string): Buffer {
  const ofBody = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers}${ofBody}\r\n${body ?? ''}`);
}

interface Period {
  readonly begins: number;
  readonly ends: number;
  readonly times: number[];
}

/** Detects when a response is complete. Only one is in flight on a connection. */
class ResponseParser {
  private received: Buffer = Buffer.alloc(0);
  private missing = -1;
  /** The last bytes of a chunked response. */
  private tail: string | undefined;

  add(chunk: Buffer): boolean {
    if (this.tail !== undefined) return this.addChunk(chunk);
    if (this.missing >= 0) {
      this.missing -= chunk.length;
    } else {
      this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
      const end = this.received.indexOf(HEAD_END);
      if (end < 0) return false;
      const length = lengthIn(this.received.toString('latin1', 0, end));
      if (length === undefined) return this.addChunk(this.received.subarray(end));
      this.missing = length - (this.received.length - end - HEAD_END.length);
    }
    return this.missing <= 0 && this.complete();
  }

  /** JSON contains no CRLF, so this byte sequence can only be the last chunk. */
  private addChunk(chunk: Buffer): boolean {
    this.tail = (this.tail ?? '') + chunk.toString('latin1', Math.max(0, chunk.length - LAST_CHUNK.length));
    this.tail = this.tail.slice(-LAST_CHUNK.length);
    return this.tail === LAST_CHUNK && this.complete();
  }

  private complete(): true {
    this.received = Buffer.alloc(0);
    this.missing = -1;
    this.tail = undefined;
    return true;
  }
}

/** Returns the content length from the header; undefined for a chunked body. */
function lengthIn(head: string): number | undefined {
  if (!/^HTTP\/1\.1 20[01] /.test(head)) throw new Error(`Unexpected response: ${head.slice(0, 40)}`);
  if (/^transfer-encoding: chunked$/im.test(head)) return undefined;
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`No content length in ${head}`);
  return Number(length);
}
