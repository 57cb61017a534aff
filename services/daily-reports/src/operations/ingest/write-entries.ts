import { accepted, type Outcome } from '@stechuhr/ingest/kinds';
import { reportId } from '../../domain/report.js';
import type { EntryDraft } from '../ports.js';
import { recordEntries } from '../record-entries.js';
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

/** Each report in one go; what somebody else stored under the same id in the meantime is judged like any other repeat. */
export async function writeEntries(needs: IngestNeeds, tenant: Tenant, drafts: readonly JudgedDraft[]): Promise<Map<EntryChange, Outcome>> {
  const outcomes = new Map<EntryChange, Outcome>(drafts.map(({ change }) => [change, accepted]));
  const byReport = Map.groupBy(
    drafts.flatMap(({ change, draft }) => (change.content === null ? [] : [{ change, draft, line: change.content.fields }])),
    ({ line }) => reportId(line),
  );
  const queue = [...byReport.values()];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [first] = next;
      if (first === undefined) continue;
      const { tagId, date } = first.line;
      const { known } = await recordEntries(needs, tenant, { report: { tagId, date }, drafts: next.map(({ draft }) => draft) });
      if (known.length === 0) continue;
      const stored = await needs.entries.known(known);
      for (const { change, line } of next) {
        const entry = stored.get(change.id);
        if (entry !== undefined && known.includes(change.id)) outcomes.set(change, sameOrRefused(entry, line));
      }
    }
  };
  await Promise.all(Array.from({ length: REPORTS }, work));
  return outcomes;
}
