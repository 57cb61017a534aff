import { connect } from 'node:net';
import { percentile } from '../../harness/statistics.js';

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
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

/** Asks the same over and over again; written on sockets, because a client library would cost more than the servers do. */
export async function load(options: Load): Promise<LoadResult> {
  const begins = performance.now() + options.warmUpMs;
  const ends = begins + options.measuredMs;
  const times: number[] = [];
  const asking = Array.from({ length: options.connections }, () => askUntil(options, { begins, ends, times }));
  await Promise.all(asking);
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), rps: (times.length / options.measuredMs) * 1000 };
}

function askUntil({ port, path, method = 'GET', token }: Load, { begins, ends, times }: Period): Promise<void> {
  const authorization = token === undefined ? '' : `Authorization: Token ${token}\r\n`;
  const request = Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: application/json\r\n${authorization}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const answers = new Answers();
    let sentAt = 0;
    const ask = (): void => {
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

interface Period {
  readonly begins: number;
  readonly ends: number;
  readonly times: number[];
}

/** Detects when an answer is complete; one is in flight at a time. */
class Answers {
  private received: Buffer = Buffer.alloc(0);
  private missing = -1;

  add(chunk: Buffer): boolean {
    if (this.missing >= 0) {
      this.missing -= chunk.length;
    } else {
      this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
      const end = this.received.indexOf(HEAD_END);
      if (end < 0) return false;
      this.missing = lengthIn(this.received.toString('latin1', 0, end)) - (this.received.length - end - HEAD_END.length);
    }
    if (this.missing > 0) return false;
    this.received = Buffer.alloc(0);
    this.missing = -1;
    return true;
  }
}

function lengthIn(head: string): number {
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`Answered with ${head.slice(0, 40)}`);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`No length in ${head}`);
  return Number(length);
}
