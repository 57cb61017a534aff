import { createLogger } from '@stechuhr/service';
import type { TestServers } from '@stechuhr/testing';
import { readConfig } from '../../src/config.js';
import { createContext, type Context } from '../../src/context.js';
import { judgeLine, recordIngest } from '../../src/operations/ingest.js';
import type { MonthStore, RecordStore, WriteContext } from '../../src/operations/ports.js';

/** A replica of the service without its server: what it does can be held up between two calls of its stores. */
export interface Replica extends Context {
  /** The same, at some of whose calls something else happens. */
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

/** What becomes of a line, with a sequence of a live object. */
export async function apply(context: WriteContext, line: object, sequence?: number): Promise<string | undefined> {
  const judged = judgeLine(JSON.stringify(line));
  if (!('change' in judged)) throw new Error(judged.refusal.reason);
  const change = { ...judged.change, ...(sequence !== undefined && { sequence }) };
  const [outcome] = await recordIngest(context).apply([change], { mayWait: false });
  return outcome?.kind;
}
