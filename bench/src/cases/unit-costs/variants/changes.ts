import { randomUUID } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { connectBus } from '@stechuhr/bus';
import { ingestSubject } from '@stechuhr/contracts';
import { createLogger } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { monthFirm } from '../../../platform/firms.js';
import { platformValues } from '../../../platform/measured-download.js';
import { measuredWork } from '../../../platform/measured-work.js';

interface Line {
  readonly kind: string;
  readonly id: string;
  readonly date: string;
  readonly timespans?: readonly object[];
}

/** Changes workdays of a firm one by one through the bus, and waits until the event of each has been published. */
export const run: Run = async ({ values }) => {
  const own = platformValues<{ readonly natsUrl: string; readonly employees: number; readonly changes: number }>(values);
  const { institutionId, records } = monthFirm(own.employees);
  const workdays = ([...records] as Line[]).filter(({ kind, timespans = [] }) => kind === 'workday' && timespans.length > 0);
  // Sorted by date, so that consecutive changes belong to different employees, as in a real firm.
  const changed = workdays
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
    .slice(0, own.changes)
    .map(withComment);
  const bus = await connectBus({ servers: own.natsUrl, name: 'bench', logger: createLogger('bench', 'warn') });
  const listener = await connect({ servers: own.natsUrl });
  try {
    const published = new Set<string>();
    const all = Promise.withResolvers<void>();
    listener.subscribe(`stechuhr.events.${institutionId}.records.workday.*`, {
      callback: (_error, message) => {
        published.add(message.json<{ readonly id: string }>().id);
        if (published.size === changed.length) all.resolve();
      },
    });
    await listener.flush();
    return await measuredWork(own, async () => {
      await Promise.all(changed.map((line) => bus.publish(ingestSubject(institutionId, line.kind), JSON.stringify(line))));
      await all.promise;
      return changed.length;
    });
  } finally {
    await listener.close();
    await bus.close();
  }
};

/** Adds a unique comment, because an unchanged workday would not count as a change. */
function withComment(line: Line): Line {
  const [first, ...rest] = line.timespans ?? [];
  return { ...line, timespans: [{ ...first, comment: randomUUID() }, ...rest] };
}
