import { accepted, type Outcome } from '@stechuhr/ingest/kinds';
import { reportId } from '../../domain/report.js';
import type { EntryDraft } from '../ports.js';
import type { KnownEntry } from '../entry-port.js';
import { appendEntries } from '../record-entries.js';
import { settleReports } from '../settle-reports.js';
import type { Tenant } from '../tenant.js';
import { sameOrRefused, type EntryChange } from './entry-change.js';
import type { IngestNeeds } from './needs.js';

/** A line that is to become an entry. */
export interface JudgedDraft {
  readonly change: EntryChange;
  readonly draft: EntryDraft;
}

/** Reports that are written at a time. */
const REPORTS = 4;

/**
 * Each report in one go, and all of them described together; what somebody else stored under the same id in the meantime is judged like any
 * other repeat.
 */
export async function writeEntries(needs: IngestNeeds, tenant: Tenant, drafts: readonly JudgedDraft[]): Promise<Map<EntryChange, Outcome>> {
  const byReport = Map.groupBy(
    drafts.flatMap(({ change, draft }) => (change.content === null ? [] : [{ change, draft, line: change.content.fields }])),
    ({ line }) => reportId(line),
  );
  const queue = [...byReport.values()];
  const known: string[] = [];
  const marks: string[] = [];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [first] = next;
      if (first === undefined) continue;
      const { tagId, date } = first.line;
      const appended = await appendEntries(needs, tenant, { report: { tagId, date }, drafts: next.map(({ draft }) => draft) });
      known.push(...appended.known);
      marks.push(...appended.marks);
    }
  };
  await Promise.all(Array.from({ length: REPORTS }, work));
  const reports = [...byReport.values()].flatMap(([first]) => (first === undefined ? [] : [first.line]));
  if (marks.length > 0) await settleReports(needs, tenant, reports, { own: marks, insist: true });
  return judgeKnown(needs, drafts, known);
}

async function judgeKnown(
  { entries }: IngestNeeds,
  drafts: readonly JudgedDraft[],
  ids: readonly string[],
): Promise<Map<EntryChange, Outcome>> {
  const stored = ids.length === 0 ? new Map<string, KnownEntry>() : await entries.known(ids);
  return new Map(
    drafts.map(({ change }) => {
      const known = stored.get(change.id);
      return [change, known === undefined || change.content === null ? accepted : sameOrRefused(known, change.content.fields)];
    }),
  );
}
