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

/** Workdays of a firm, changed one by one on the bus, until the event of each was published. */
export const run: Run = async ({ values }) => {
  const own = platformValues<{ readonly natsUrl: string; readonly employees: number; readonly changes: number }>(values);
  const { institutionId, records } = monthFirm(own.employees);
  const workdays = ([...records] as Line[]).filter(({ kind, timespans = [] }) => kind === 'workday' && timespans.length > 0);
  // Day by day: changes that follow one another are of different employees, as they come from a firm.
  const changed = workdays
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
    .slice(0, own.changes)
    .map(withComment);
  const bus = await connectBus({ servers: own.natsUrl, name: 'bench', logger: createLogger('bench', 'warn') });
  const tap = await connect({ servers: own.natsUrl });
  try {
    const told = new Set<string>();
    const all = Promise.withResolvers<void>();
    tap.subscribe(`stechuhr.events.${institutionId}.records.workday.*`, {
      callback: (_error, message) => {
        told.add(message.json<{ readonly id: string }>().id);
        if (told.size === changed.length) all.resolve();
      },
    });
    await tap.flush();
    return await measuredWork(own, async () => {
      await Promise.all(changed.map((line) => bus.publish(ingestSubject(institutionId, line.kind), JSON.stringify(line))));
      await all.promise;
      return changed.length;
    });
  } finally {
    await tap.close();
    await bus.close();
  }
};

/** What is stored already would change nothing. */
function withComment(line: Line): Line {
  const [first, ...rest] = line.timespans ?? [];
  return { ...line, timespans: [{ ...first, comment: randomUUID() }, ...rest] };
}
