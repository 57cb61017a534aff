import { createLogger } from '@stechuhr/service';
import type { TestServers } from '@stechuhr/testing';
import { readConfig } from '../../src/config.js';
import { createContext, type Context } from '../../src/context.js';
import { judgeLine, recordIngest } from '../../src/operations/ingest.js';
import type { MonthStore, RecordStore, WriteContext } from '../../src/operations/ports.js';

/** A replica of the service without its server. Tests can run other actions between two calls of its stores. */
export interface Replica extends Context {
  /** Returns the replica with some calls of its stores replaced. */
  meanwhile(calls: { readonly records?: Partial<RecordStore>; readonly months?: Partial<MonthStore> }): WriteContext;
}

export async function startReplica({ mongodbUrl, natsUrl, redisUrl }: TestServers, database: string): Promise<Replica> {
  const config = readConfig({ MONGODB_URL: mongodbUrl, MONGODB_DATABASE: database, NATS_URL: natsUrl, REDIS_URL: redisUrl });
  const context = await createContext(config, createLogger('records', 'fatal'));
  return {
    ...context,
    meanwhile: ({ records, months }) => ({
      ...context,
      records: { ...context.records, ...records },
      months: { ...context.months, ...months },
    }),
  };
}

/** Returns a function that runs the task on its first call only. */
export function once(task: () => Promise<unknown>): () => Promise<void> {
  let run: Promise<unknown> | undefined;
  return async () => {
    run ??= task();
    await run;
  };
}

interface LiveLine {
  readonly line: object;
  /** The sequence, if the line is a live object. */
  readonly sequence?: number | undefined;
}

/** Applies a line and returns the kind of its outcome. With a sequence, the line counts as a live object. */
export async function apply(context: WriteContext, line: object, sequence?: number): Promise<string | undefined> {
  const [outcome] = await applyAll(context, [{ line, sequence }]);
  return outcome;
}

/** Applies lines in one batch and returns the kinds of their outcomes. */
export async function applyAll(context: WriteContext, lines: readonly LiveLine[]): Promise<string[]> {
  const changes = lines.map(({ line, sequence }) => {
    const judged = judgeLine(JSON.stringify(line));
    if (!('change' in judged)) throw new Error(judged.refusal.reason);
    return { ...judged.change, ...(sequence !== undefined && { sequence }) };
  });
  const outcomes = await recordIngest(context).apply(changes, { mayWait: false });
  return outcomes.map(({ kind }) => kind);
}
