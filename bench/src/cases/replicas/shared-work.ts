import { connect, type Msg } from '@nats-io/transport-node';
import type { Outcome, RunInput } from '../../harness/types.js';
import { environmentOf, startReplicas } from './replica.js';
import { startUsage, type Usage } from './usage.js';

/** A replica begins with its next sweep; at the end some have nothing left to take. */
const [FROM, TO] = [0.3, 0.9];
/** For each replica, before anything is timed: its code is compiled meanwhile. */
const SMALL_PIECES = { quick: 50, full: 3_000 };

/** What replicas of a service find and do. */
export interface SharedWork {
  readonly service: string;
  /** On which each piece is published when it is done. */
  readonly subject: string;
  /** Of each piece, in the order in which they are left. */
  readonly ids: readonly string[];
  /** The piece that a message on the subject is about; its `Nats-Msg-Id` by default. */
  readonly pieceOf?: (message: Pick<Msg, 'headers' | 'string'>) => string;
  /** How many of the pieces are done before anything is timed. */
  readonly warmUp: number;
  /** Leaves some of the pieces behind, as a process that was killed. */
  leave(from: number, to: number): Promise<void>;
}

const LIMIT_MS = 600_000;

/** Rejects after a time in which all pieces are done many times over. */
function late(doneOf: () => number, all: number): Promise<never> {
  return new Promise((_, reject) => {
    const tell = () =>
      reject(new Error(`After ${String(LIMIT_MS / 60_000)} minutes ${String(doneOf())} of ${String(all)} pieces were done.`));
    setTimeout(tell, LIMIT_MS).unref();
  });
}

/** How many small pieces a run takes that measures so many of four replicas: each replica does as many, so that its code is as warm. */
export function smallPieces(input: RunInput, ofFour: number): { readonly warmUp: number; readonly count: number } {
  const replicas = Number(input.values['replicas']);
  const warmUp = (input.quick ? SMALL_PIECES.quick : SMALL_PIECES.full) * replicas;
  return { warmUp, count: warmUp + Math.ceil((ofFour * replicas) / 4) };
}

const messageId = ({ headers }: Pick<Msg, 'headers'>): string => headers?.get('Nats-Msg-Id') ?? '';

/**
 * Lets as many replicas as the variant says do the work.
 *
 * @returns `perSecond`; `repeatedShare` of what was published twice; how much of their share of a core the replicas used (`usedShare`), what they did for
 * a second of it (`perCpuSecond`), and how many cores the servers needed meanwhile
 */
export async function doneByReplicas(input: RunInput, work: SharedWork): Promise<Outcome> {
  const replicas = await startReplicas(work.service, input);
  const connection = await connect({ servers: environmentOf(input)['NATS_URL'] ?? '' });
  const { pieceOf = messageId } = work;
  const [own, done] = [new Set(work.ids), new Map<string, number>()];
  const waiting = new Map<number, () => void>();
  const untilDone = (count: number): Promise<void> => new Promise((resolve) => waiting.set(count, resolve));
  let repeated = 0;
  // A subscriber without a stream sees also what JetStream drops as a repeat.
  connection.subscribe(work.subject, {
    callback(_, message) {
      const id = pieceOf(message);
      if (!own.has(id)) return;
      if (done.has(id)) repeated += 1;
      else done.set(id, performance.now());
      waiting.get(done.size)?.();
      waiting.delete(done.size);
    },
  });
  await connection.flush();
  const [warm, all] = [work.warmUp, work.ids.length];
  const at = (part: number): number => warm + Math.floor((all - warm - 1) * part) + 1;
  const [isWarm, begun, ended, finished] = [warm, at(FROM), at(TO), all].map(untilDone);
  const usage = begun?.then(() => startUsage(input, replicas.pids));
  const used = ended?.then(async () => (await usage)?.end());
  // Pieces that go by other ids would be waited for in vain.
  const inTime = <T>(promise: Promise<T> | undefined) => Promise.race([promise, late(() => done.size, all)]);
  await work.leave(0, warm);
  await inTime(isWarm);
  await work.leave(warm, all);
  await inTime(finished);
  const measured = await used;
  await replicas.stop();
  await connection.close();
  if (measured === undefined) throw new Error('Nothing was measured.');
  return { values: { ...figuresOf(at(TO) - at(FROM), measured), repeatedShare: repeated / done.size } };
}

/** What was done while so much was used, as measures of a variant. */
export function figuresOf(pieces: number, { wallMs, replicasMs, heldTo, servers }: Usage): Readonly<Record<string, number>> {
  return {
    perSecond: (pieces * 1_000) / wallMs,
    perCpuSecond: (pieces * 1_000) / replicasMs,
    usedShare: replicasMs / (wallMs * heldTo),
    ...Object.fromEntries(Object.entries(servers).map(([name, ms]) => [`${name}Cores`, ms / wallMs])),
  };
}
