import { connect, type Msg } from '@nats-io/transport-node';
import type { Outcome, RunInput } from '../../harness/types.js';
import { environmentOf, startReplicas } from './replica.js';
import { startUsage, type Usage } from './usage.js';

/** The part of the work that is measured. Before it, replicas wait for their next sweep; after it, some have no work left. */
const [FROM, TO] = [0.3, 0.9];
/** Warm-up pieces per replica, during which V8 compiles its code. */
const SMALL_PIECES = { quick: 50, full: 3_000 };

/** Pieces of work that the replicas of a service find and complete. */
export interface SharedWork {
  readonly service: string;
  /** The NATS subject on which a message is published when a piece is done. */
  readonly subject: string;
  /** Id of each piece, in the order in which they are created. */
  readonly ids: readonly string[];
  /** Returns the id of the piece to which a message on the subject belongs; its `Nats-Msg-Id` by default. */
  readonly pieceOf?: (message: Pick<Msg, 'headers' | 'string'>) => string;
  /** How many of the pieces are warm-up. */
  readonly warmUp: number;
  /** Stores some of the pieces, as if a process had been killed before it completed them. */
  createPieces(from: number, to: number): Promise<void>;
}

const LIMIT_MS = 600_000;

/** Rejects after a time limit that is far above the expected duration. */
function timeout(doneOf: () => number, all: number): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () =>
      reject(new Error(`After ${String(LIMIT_MS / 60_000)} minutes ${String(doneOf())} of ${String(all)} pieces were done.`));
    setTimeout(fail, LIMIT_MS).unref();
  });
}

/**
 * Computes the number of pieces of a run, so that each replica completes the same number with any number of replicas.
 * @param ofFour measured pieces with four replicas
 */
export function smallPieces(input: RunInput, ofFour: number): { readonly warmUp: number; readonly count: number } {
  const replicas = Number(input.values['replicas']);
  const warmUp = (input.quick ? SMALL_PIECES.quick : SMALL_PIECES.full) * replicas;
  return { warmUp, count: warmUp + Math.ceil((ofFour * replicas) / 4) };
}

const messageId = ({ headers }: Pick<Msg, 'headers'>): string => headers?.get('Nats-Msg-Id') ?? '';

/**
 * Starts replicas, lets them do the work, and measures it.
 *
 * @returns pieces per second (`perSecond`) and per second of the replicas' CPU time (`perCpuSecond`); `repeatedShare`, the share of pieces
 * that were published twice; `usedShare`, the part of their CPU limit that the replicas used; and the cores that each server used
 */
export async function doneByReplicas(input: RunInput, work: SharedWork): Promise<Outcome> {
  const replicas = await startReplicas(work.service, input);
  const connection = await connect({ servers: environmentOf(input)['NATS_URL'] ?? '' });
  const { pieceOf = messageId } = work;
  const [own, done] = [new Set(work.ids), new Map<string, number>()];
  const waiting = new Map<number, () => void>();
  const untilDone = (count: number): Promise<void> => new Promise((resolve) => waiting.set(count, resolve));
  let repeated = 0;
  // A core NATS subscriber also receives messages that JetStream drops as duplicates.
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
  // Without a timeout, a wrong id of a piece would block the run forever.
  const inTime = <T>(promise: Promise<T> | undefined) => Promise.race([promise, timeout(() => done.size, all)]);
  await work.createPieces(0, warm);
  await inTime(isWarm);
  await work.createPieces(warm, all);
  await inTime(finished);
  const measured = await used;
  await replicas.stop();
  await connection.close();
  if (measured === undefined) throw new Error('Nothing was measured.');
  return { values: { ...figuresOf(at(TO) - at(FROM), measured), repeatedShare: repeated / done.size } };
}

/** Converts the number of completed pieces and the usage to measures of a variant. */
export function figuresOf(pieces: number, { wallMs, replicasMs, heldTo, servers }: Usage): Readonly<Record<string, number>> {
  return {
    perSecond: (pieces * 1_000) / wallMs,
    perCpuSecond: (pieces * 1_000) / replicasMs,
    usedShare: replicasMs / (wallMs * heldTo),
    ...Object.fromEntries(Object.entries(servers).map(([name, ms]) => [`${name}Cores`, ms / wallMs])),
  };
}
