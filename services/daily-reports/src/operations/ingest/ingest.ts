import { applyToOwnedKinds, createLineJudge, type Apply, type ImportOptions, type Ingest, type LineJudge } from '@stechuhr/ingest';
import type { Change, Content, Outcome } from '@stechuhr/ingest/kinds';
import { entryKind, type EntryLine } from '../../domain/lines/entry-line.js';
import { formKind } from '../../domain/lines/form-line.js';
import { statusKind } from '../../domain/lines/status-line.js';
import { applyEntries } from './apply-entries.js';
import type { EntryChange } from './entry-change.js';
import type { IngestNeeds } from './needs.js';
import { ownedForm } from './owned-form.js';
import { ownedStatus } from './owned-status.js';

/** Entries are validated by forms, and an archived report accepts no entries: so forms come first and changes of status last. */
const kinds = { daily_report_form: formKind, daily_report_entry: entryKind, daily_report_status: statusKind };
const order = [
  { ...formKind, name: 'daily_report_form' },
  { ...entryKind, name: 'daily_report_entry' },
  { ...statusKind, name: 'daily_report_status' },
] as const;

type KindName = keyof typeof kinds;

const judge: LineJudge<Content, KindName> = createLineJudge({ service: 'daily-reports', kinds });
const BEHIND: Outcome = { kind: 'behind' };

/** How lines and live objects are validated and written. */
export function dailyReportIngest(needs: IngestNeeds): Ingest<Content, KindName> {
  const { references, markers } = needs;
  const applyForms = applyToOwnedKinds({ kinds: [ownedForm(needs)], references, markers });
  const applyStatuses = applyToOwnedKinds({ kinds: [ownedStatus(needs)], references, markers });
  const apply: Apply<Content, KindName> = async (changes, terms) => {
    const outcomes = new Map<Change, Outcome>();
    const collect = (written: readonly Change[], results: readonly Outcome[]) =>
      written.forEach((change, at) => outcomes.set(change, results[at] ?? BEHIND));
    const forms = changes.filter(({ kind }) => kind === 'daily_report_form');
    if (forms.length > 0) collect(forms, await applyForms(forms, terms));
    for (const [change, outcome] of await applyEntries(needs, changes.filter(isEntry), terms)) outcomes.set(change, outcome);
    const statuses = changes.filter(({ kind }) => kind === 'daily_report_status');
    // Wherever they are in the files, they are applied after the entries.
    if (statuses.length > 0) collect(statuses, terms.mayWait ? [] : await applyStatuses(statuses, terms));
    return changes.map((change) => outcomes.get(change) ?? BEHIND);
  };
  return { judge, apply };
}

/** One import: what it takes. */
export function dailyReportImport(needs: IngestNeeds): ImportOptions<Content, KindName> {
  return { ...dailyReportIngest(needs), kinds: order };
}

/** The kind determines the type of the contents. */
function isEntry(change: Change<Content, KindName>): change is EntryChange & Change<Content<EntryLine>, KindName> {
  return change.kind === 'daily_report_entry';
}
