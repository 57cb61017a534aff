import { oneByOne, type OwnedKind, type Put } from '@stechuhr/ingest';
import { accepted, type Content, type Outcome } from '@stechuhr/ingest/kinds';
import { AppError } from '@stechuhr/kernel';
import type { StatusLine } from '../../domain/lines/status-line.js';
import { statusKind } from '../../domain/lines/status-line.js';
import { statusOf } from '../../domain/status.js';
import { appendChange } from '../report-status.js';
import type { Ports } from '../ports.js';
import type { RecordedChange } from '../report-port.js';

type Needs = Pick<Ports, 'reports' | 'events' | 'notifyOutbox'>;
type StatusContent = Content<StatusLine>;

interface Stored extends RecordedChange {
  readonly sequence: number | undefined;
}

/** Returns how status changes are stored: they are appended to the log of their report if the table of transitions allows them. */
export function ownedStatus(needs: Needs): OwnedKind<StatusContent> {
  return {
    kinds: [statusKind],
    comesLast: true,
    begin: oneByOne<StatusContent, Stored>({
      async load(changes) {
        const recorded = await needs.reports.changes(changes);
        return new Map([...recorded].map(([id, one]) => [id, { ...one, sequence: one.change.liveSequence }]));
      },
      write: (change, stored) => (stored === undefined ? append(needs, change) : Promise.resolve(compare(change, stored))),
      remove: (_change, stored) => remove(needs, stored),
    }),
  };
}

async function append(needs: Needs, { institutionId, id, content, sequence }: Put<StatusContent>): Promise<Outcome> {
  const { tagId, date, ...line } = content.fields;
  const change = { id, ...line, liveSequence: sequence };
  try {
    await appendChange(needs, { institutionId }, { report: { tagId, date }, change, keepsRepeats: true });
    return accepted;
  } catch (caught) {
    const error = AppError.from(caught);
    if (error.code !== 'invalid') throw caught;
    // The change that a live object follows may still be on its way, in this process or in another replica.
    const kind = sequence === undefined ? 'rejected' : 'unresolved';
    return { kind, reason: String(Object.values(error.details ?? {}).flat()[0] ?? error.message) };
  }
}

/** Compares a line with a recorded change. The log is append-only, so a recorded change cannot be modified. */
function compare({ content }: Put<StatusContent>, { tagId, date, change }: Stored): Outcome {
  const { tagId: lineTag, date: lineDate, status, actorId, at, reason } = content.fields;
  const isSame =
    tagId === lineTag &&
    date === lineDate &&
    change.status === status &&
    change.actorId === actorId &&
    change.at === at &&
    change.reason === reason;
  return isSame ? accepted : { kind: 'rejected', reason: 'id belongs to another change of status.' };
}

/** Removes a change from the log. The report returns to the status that it would have without the change. */
async function remove(
  { reports, events, notifyOutbox }: Needs,
  { institutionId, tagId, date, change }: Stored,
): Promise<Outcome | undefined> {
  const tenant = { institutionId };
  const report = { tagId, date };
  const log = await reports.logOf(tenant, report);
  const changes = log.changes.filter(({ id }) => id !== change.id);
  const [from, to] = [statusOf(log.changes), statusOf(changes)];
  const event = from === to ? undefined : events.statusChanged(tenant, report, { from, to });
  const written = await reports.writeLog(tenant, report, { after: log, changes, event });
  notifyOutbox();
  return written ? accepted : undefined;
}
