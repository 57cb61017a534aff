import { accepted, type Change, type Content, type Outcome } from '@stechuhr/ingest/kinds';
import type { EntryLine } from '../../domain/lines/entry-line.js';
import { reportId } from '../../domain/report.js';
import type { EntryDraft, IngestNeeds } from '../ports.js';
import type { KnownEntry } from '../entry-port.js';
import { keepPhotos } from '../keep-photos.js';
import { appendEntries } from '../record-entries.js';
import { settleReports } from '../settle-reports.js';
import type { Tenant } from '../tenant.js';

export type EntryChange = Change<Content<EntryLine>>;

/** A validated line to store as an entry. */
export interface JudgedDraft {
  readonly change: EntryChange;
  readonly draft: EntryDraft;
  /** The revision of the log of the report with which the line was validated. */
  readonly logRevision: number;
}

/**
 * Writes the entries of all reports. An entry that was stored under the same id in the meantime is treated like any other repeated line.
 * Entries of a report whose status has changed since are left out, to be validated again: the report may be archived.
 */
export async function writeEntries(needs: IngestNeeds, tenant: Tenant, drafts: readonly JudgedDraft[]): Promise<Map<EntryChange, Outcome>> {
  const byReport = Map.groupBy(
    drafts.flatMap(({ change, ...judged }) => (change.content === null ? [] : [{ ...judged, line: change.content.fields }])),
    ({ line }) => reportId(line),
  );
  const recordings = [...byReport.values()].flatMap((ofReport) => {
    const [first] = ofReport;
    if (first === undefined) return [];
    const { tagId, date } = first.line;
    return { report: { tagId, date }, drafts: ofReport.map(({ draft }) => draft), logRevision: first.logRevision };
  });
  await keepPhotos(
    needs,
    tenant,
    recordings.flatMap(({ drafts: ofReport }) => ofReport.map(({ value }) => value)),
  );
  const { known, foreign, refused, marks } = await appendEntries(needs, tenant, recordings);
  const reports = recordings.map(({ report }) => report);
  if (marks.length > 0) await settleReports(needs, tenant, reports, { own: marks, insist: true });
  const open = new Set(refused);
  return judgeKnown(
    needs,
    drafts.filter(({ change }) => !open.has(change.id)),
    { tenant, known, foreign: new Set(foreign) },
  );
}

interface Unwritten {
  readonly tenant: Tenant;
  readonly known: readonly string[];
  readonly foreign: ReadonlySet<string>;
}

const FOREIGN: Outcome = { kind: 'rejected', reason: 'id belongs to a record of another institution.' };

async function judgeKnown(
  { entries }: IngestNeeds,
  drafts: readonly JudgedDraft[],
  { tenant, known: ids, foreign }: Unwritten,
): Promise<Map<EntryChange, Outcome>> {
  const stored = ids.length === 0 ? new Map<string, KnownEntry>() : await entries.known(ids.map((id) => ({ ...tenant, id })));
  return new Map(
    drafts.map(({ change }) => {
      if (foreign.has(change.id)) return [change, FOREIGN];
      const known = stored.get(change.id);
      return [change, known === undefined || change.content === null ? accepted : sameOrRefused(known, change.content.fields)];
    }),
  );
}

/** Compares a line with the stored entry. Entries never change, so a different line with a known id is rejected. */
export function sameOrRefused({ fingerprint }: Pick<KnownEntry, 'fingerprint'>, line: EntryLine): Outcome {
  return fingerprint === line.fingerprint ? accepted : { kind: 'rejected', reason: 'id belongs to another entry; entries never change.' };
}
