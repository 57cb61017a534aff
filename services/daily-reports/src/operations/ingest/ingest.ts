import { applyToOwnedKinds, createLineJudge, type ImportOptions, type LineJudge } from '@stechuhr/ingest';
import type { Content } from '@stechuhr/ingest/kinds';
import { entryKind } from '../../domain/lines/entry-line.js';
import { formKind } from '../../domain/lines/form-line.js';
import { statusKind } from '../../domain/lines/status-line.js';
import type { IngestNeeds } from '../ports.js';
import { ownedEntry } from './owned-entry.js';
import { ownedForm } from './owned-form.js';
import { ownedStatus } from './owned-status.js';

const kinds = { daily_report_form: formKind, daily_report_entry: entryKind, daily_report_status: statusKind };
const order = [
  { ...formKind, name: 'daily_report_form' },
  { ...entryKind, name: 'daily_report_entry' },
  { ...statusKind, name: 'daily_report_status' },
] as const;

type KindName = keyof typeof kinds;

const judge: LineJudge<Content, KindName> = createLineJudge({ service: 'daily-reports', kinds });

/**
 * Returns how lines and live objects are validated and written. Entries are validated by forms, and an archived report accepts no entries.
 * Therefore forms come first and status changes last.
 */
export function dailyReportIngest(needs: IngestNeeds): ImportOptions<Content, KindName> {
  const { references, markers } = needs;
  const apply = applyToOwnedKinds<Content, string>({
    kinds: [ownedForm(needs), ownedEntry(needs), ownedStatus(needs)],
    references,
    ...(markers && { markers }),
  });
  return { judge, apply, kinds: order };
}
