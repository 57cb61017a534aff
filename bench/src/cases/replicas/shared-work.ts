import { connect } from '@nats-io/transport-node';
import { join } from 'node:path';
import { memoryOptions, topology } from '@stechuhr/local';
import { startServiceProcess } from '@stechuhr/testing';
import type { Outcome, RunInput } from '../../harness/types.js';
import { holdToShare } from '../../platform/processor-share.js';

const ROOT = join(import.meta.dirname, '../../../..');
const SHARE = 0.25;
/** A replica begins with its next sweep, and its code is not compiled yet; at the end some have nothing left to take. */
const [FROM, TO] = [0.3, 0.9];

/** What replicas of a service find and do. */
export interface SharedWork {
  readonly service: string;
  /** On which each piece is published when it is done, under a `Nats-Msg-Id` of its own. */
  readonly subject: string;
  /** How many pieces. */
  readonly count: number;
  /** Leaves the work behind, as a process that was killed. */
  leave(): Promise<void>;
}

/** Whether `id` is of this run. */
type IsOwn = (id: string) => boolean;

/** The environment of the services. */
export const environmentOf = ({ values }: RunInput): Readonly<Record<string, string>> => values['env'] as Readonly<Record<string, string>>;

/** Lets as many replicas as the variant says do the work. @returns `perSecond`, and `repeatedShare` of what was published twice */
export async function doneByReplicas(input: RunInput, work: SharedWork, isOwn: IsOwn): Promise<Outcome> {
  const env = environmentOf(input);
  const running = await Promise.all(Array.from({ length: Number(input.values['replicas']) }, () => startReplica(work.service, input)));
  const connection = await connect({ servers: env['NATS_URL'] ?? '' });
  const done = new Map<string, number>();
  const finished = Promise.withResolvers<void>();
  let repeated = 0;
  // A subscriber without a stream sees also what JetStream drops as a repeat.
  connection.subscribe(work.subject, {
    callback(_, { headers }) {
      const id = headers?.get('Nats-Msg-Id') ?? '';
      if (!isOwn(id)) return;
      if (done.has(id)) repeated += 1;
      else done.set(id, performance.now());
      if (done.size === work.count) finished.resolve();
    },
  });
  await connection.flush();
  await work.leave();
  await finished.promise;
  for (const { stop } of running) await stop();
  await connection.close();
  const times = [...done.values()];
  const at = (part: number): number => times[Math.floor((times.length - 1) * part)] ?? 0;
  const perSecond = ((TO - FROM) * times.length * 1_000) / (at(TO) - at(FROM));
  return { values: { perSecond, repeatedShare: repeated / times.length } };
}

/** A quick run needs no rights for control groups: nothing is timed. */
async function startReplica(service: string, input: RunInput): Promise<{ stop(): Promise<void> }> {
  const definition = topology.filter(({ name }) => name === service);
  const process = await startServiceProcess({
    main: join(ROOT, 'services', service, 'dist/main.js'),
    nodeOptions: [...definition.flatMap(memoryOptions), '--import', '@stechuhr/service/telemetry'],
    env: environmentOf(input),
  });
  const share = input.quick ? undefined : await holdToShare(process.pid, SHARE);
  return {
    async stop() {
      await process.stop();
      await share?.close();
    },
  };
}
