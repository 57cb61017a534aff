import type { Description } from '../domain/description.js';
import type { ReportKey } from '../domain/report.js';
import type { StatusChange } from '../domain/status.js';
import type { Mark, MarkedReport, StoredReport } from '../operations/report-port.js';
import type { Tenant } from '../operations/tenant.js';
import { toDate, toSecond } from './keys.js';
import type { LoggedChange, ReportDocument } from './report-model.js';

const NOTHING: Description = { hasEntries: false, contributorCount: 0, employees: [], totalHours: 0, weather: [], newest: [] };

/** Returns the initial fields of a report. */
export function fresh(
  { institutionId }: Tenant,
  { tagId, date }: ReportKey,
): Omit<ReportDocument, '_id' | 'next_sequence' | 'size' | 'revision' | 'marks'> {
  return {
    institution_id: institutionId,
    tag_id: tagId,
    date,
    status: 'draft',
    log: [],
    log_revision: 0,
    has_entries: false,
    form_fingerprint: null,
    description: null,
    outbox: [],
  };
}

export function toMarked({ tag_id, date, revision, marks }: Pick<ReportDocument, 'tag_id' | 'date' | 'revision' | 'marks'>): MarkedReport {
  return {
    tagId: tag_id,
    date,
    revision,
    marks: marks.map(({ id, at, autofilled = [] }) => {
      return { id, at: toSecond(at), autofilled: autofilled.map(({ entry_id: entryId, field_id: fieldId }) => ({ entryId, fieldId })) };
    }),
  };
}

export function toReport(document: Pick<ReportDocument, 'tag_id' | 'date' | 'status' | 'form_fingerprint' | 'description'>): StoredReport {
  return {
    tagId: document.tag_id,
    date: document.date,
    status: document.status,
    formFingerprint: document.form_fingerprint,
    description: document.description ?? NOTHING,
  };
}

export function toMark({ institutionId }: Tenant, { id, at, autofilled }: Mark): ReportDocument['marks'][number] {
  const written = autofilled.map(({ entryId, fieldId }) => ({ entry_id: entryId, field_id: fieldId }));
  return { id, at: toDate(at), institution_id: institutionId, ...(written.length > 0 && { autofilled: written }) };
}

export function toChange({ id, status, actor_id, at, reason, live_sequence }: LoggedChange): StatusChange {
  return { id, status, actorId: actor_id, at: toSecond(at), reason, liveSequence: live_sequence ?? undefined };
}

export function toLogged({ id, status, actorId, at, reason, liveSequence }: StatusChange): LoggedChange {
  return { id, status, actor_id: actorId, at: toDate(at), reason, live_sequence: liveSequence ?? null };
}
