import { connect } from 'node:net';
import { percentile } from '../../harness/statistics.js';

/** What is asked at a time. */
export interface Asked {
  readonly path: string;
  readonly method?: string;
  /** JSON. */
  readonly body?: string;
}

export interface Load {
  readonly port: number;
  /** The same each time, or what the next one is. */
  readonly asked: Asked | (() => Asked);
  readonly token?: string;
  /** How many are asking at a time, each over a connection of its own. */
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

/** Asks over and over again; written on sockets, because a client library would cost more than the servers do. */
export async function load(options: Load): Promise<LoadResult> {
  const begins = performance.now() + options.warmUpMs;
  const ends = begins + options.measuredMs;
  const times: number[] = [];
  const asking = Array.from({ length: options.connections }, () => askUntil(options, { begins, ends, times }));
  await Promise.all(asking);
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), rps: (times.length / options.measuredMs) * 1000 };
}

function askUntil({ port, asked, token }: Load, { begins, ends, times }: Period): Promise<void> {
  const authorization = token === undefined ? '' : `Authorization: Token ${token}\r\n`;
  const headers = `Host: 127.0.0.1:${port}\r\nAccept: application/json\r\n${authorization}`;
  const same = typeof asked === 'function' ? undefined : written(asked, headers);
  const next = typeof asked === 'function' ? () => written(asked(), headers) : undefined;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const answers = new Answers();
    let sentAt = 0;
    const ask = (): void => {
      const request = same ?? next?.() ?? '';
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', ask).on('error', reject);
    socket.on('data', (chunk) => {
      try {
        if (!answers.add(chunk)) return;
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
        return;
      }
      const now = performance.now();
      if (sentAt >= begins && now <= ends) times.push(now - sentAt);
      if (now < ends) ask();
      else socket.end(() => resolve());
    });
  });
}

function written({ method = 'GET', path, body }: Asked, headers: string): Buffer {
  const ofBody = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers}${ofBody}\r\n${body ?? ''}`);
}

interface Period {
  readonly begins: number;
  readonly ends: number;
  readonly times: number[];
}

/** Detects when an answer is complete; one is in flight at a time. */
class Answers {
  private received: Buffer = Buffer.alloc(0);
  private missing = -1;
  /** The end of what came in chunks. */
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

  /** JSON has no line break of this kind: only the last chunk ends like this. */
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

/** Undefined where the body comes in chunks. */
function lengthIn(head: string): number | undefined {
  if (!/^HTTP\/1\.1 20[01] /.test(head)) throw new Error(`Answered with ${head.slice(0, 40)}`);
  if (/^transfer-encoding: chunked$/im.test(head)) return undefined;
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`No length in ${head}`);
  return Number(length);
}
