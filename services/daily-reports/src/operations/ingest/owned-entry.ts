import type { Attempt, OwnedKind, Put } from '@stechuhr/ingest';
import { accepted, type Change, type Content, type Outcome } from '@stechuhr/ingest/kinds';
import { newId } from '@stechuhr/kernel';
import { activeForm, type Form } from '../../domain/form.js';
import { entryKind, type EntryLine } from '../../domain/lines/entry-line.js';
import { reportId } from '../../domain/report.js';
import { refusalOfSize, sizeOf, together } from '../../domain/report-size.js';
import { photoKeysOf } from '../../domain/upload.js';
import type { KnownEntry } from '../entry-port.js';
import type { Employee, EntryDraft, IngestNeeds } from '../ports.js';
import { NEW_REPORT, type Standing } from '../report-port.js';
import { settleReports } from '../settle-reports.js';
import type { Tenant } from '../tenant.js';
import { judgeEntry } from './judge-entry.js';
import { sameOrRefused, writeEntries, type EntryChange, type JudgedDraft } from './write-entries.js';

/** Returns how entries are stored: all entries of a report together, in the given order. Entries never change. */
export function ownedEntry(needs: IngestNeeds): OwnedKind<Content<EntryLine>> {
  return { kinds: [entryKind], isImmutable: true, begin: (changes) => begin(needs, changes) };
}

async function begin(needs: IngestNeeds, changes: readonly EntryChange[]): Promise<Attempt<Content<EntryLine>>> {
  const [known, around] = await Promise.all([needs.entries.known(changes), readAllSurroundings(needs, changes)]);
  const standings = await standingsOfRemoved(
    needs,
    changes.flatMap(({ id, content }) => (content === null ? (known.get(id) ?? []) : [])),
  );
  const now = Math.floor(needs.clock.now() / 1000);
  const drafts: JudgedDraft[] = [];
  const removals: Removal[] = [];
  return {
    stored({ id }) {
      const entry = known.get(id);
      return entry && { institutionId: entry.institutionId, sequence: entry.liveSequence };
    },
    put(change) {
      const { institutionId, id, content } = change;
      const entry = known.get(id);
      if (entry !== undefined) return sameOrRefused(entry, content.fields);
      const judged = judge(change, around.get(institutionId) ?? { forms: [], standings: new Map(), employees: new Map() }, now);
      if ('kind' in judged) return judged;
      drafts.push({ change, ...judged });
      return undefined;
    },
    remove(change) {
      const entry = known.get(change.id);
      if (entry === undefined) return accepted;
      const standing = standings.get(entry.id) ?? NEW_REPORT;
      if (isArchivedBefore(change, standing)) return ARCHIVED;
      removals.push({ change, entry, logRevision: standing.logRevision });
      return undefined;
    },
    async save() {
      const outcomes = new Map<EntryChange, Outcome>();
      for (const removal of removals) if (await removeEntry(needs, removal)) outcomes.set(removal.change, accepted);
      for (const [institutionId, ofInstitution] of Map.groupBy(drafts, ({ change }) => change.institutionId))
        for (const [change, outcome] of await writeEntries(needs, { institutionId }, ofInstitution)) outcomes.set(change, outcome);
      return outcomes;
    },
  };
}

/** Whether a report was archived before a change of it. Live objects may overtake each other; what counts is the order in which they were sent. */
function isArchivedBefore({ sequence }: EntryChange, { status, statusSequence }: Standing): boolean {
  const wasSentFirst = sequence !== undefined && statusSequence !== undefined && sequence < statusSequence;
  return status === 'archived' && !wasSentFirst;
}

const ARCHIVED: Outcome = { kind: 'rejected', reason: 'The report of that day is archived.' };

/** An entry to remove from its report. */
interface Removal {
  readonly change: EntryChange;
  readonly entry: KnownEntry;
  /** The revision of the log of the report with which the removal was validated. */
  readonly logRevision: number;
}

/** Returns the standings of the reports from which entries are removed, by the id of the entry. */
async function standingsOfRemoved(needs: IngestNeeds, entries: readonly KnownEntry[]): Promise<ReadonlyMap<string, Standing>> {
  const found = new Map<string, Standing>();
  for (const [institutionId, ofInstitution] of Map.groupBy(entries, (entry) => entry.institutionId)) {
    const standings = await needs.reports.standings({ institutionId }, ofInstitution);
    for (const entry of ofInstitution) found.set(entry.id, standings.get(reportId(entry)) ?? NEW_REPORT);
  }
  return found;
}

/** The data with which entry lines of one institution are validated. */
interface Surroundings {
  readonly forms: readonly Form[];
  /** The standings by report id, including the entries that were accepted in this attempt. */
  readonly standings: Map<string, Standing>;
  readonly employees: ReadonlyMap<string, Employee>;
}

const SNAPSHOT = ['employee_account_id', 'employee_name', 'employee_position'];

async function readAllSurroundings(needs: IngestNeeds, changes: readonly EntryChange[]): Promise<ReadonlyMap<string, Surroundings>> {
  const around = new Map<string, Surroundings>();
  for (const [institutionId, ofInstitution] of Map.groupBy(changes, (change) => change.institutionId))
    around.set(institutionId, await readSurroundings(needs, { institutionId }, ofInstitution));
  return around;
}

/** Reads the data for all lines together. */
async function readSurroundings(needs: IngestNeeds, tenant: Tenant, changes: readonly EntryChange[]): Promise<Surroundings> {
  const lines = changes.flatMap(({ content }) => content?.fields ?? []);
  const working = lines.filter(({ values, burned }) => ('hours' in values || burned) && SNAPSHOT.some((name) => !(name in values)));
  const employeeIds = [...new Set(working.flatMap(({ onBehalfOfId }) => onBehalfOfId ?? []))];
  const [forms, reports, employees] = await Promise.all([
    needs.forms.list(tenant),
    needs.reports.standings(tenant, lines),
    employeeIds.length === 0 ? new Map<string, Employee>() : needs.peopleOf(tenant).readEmployees(employeeIds),
  ]);
  return { forms, standings: new Map(reports), employees };
}

function judge(change: Put<Content<EntryLine>>, around: Surroundings, now: number): Outcome | Omit<JudgedDraft, 'change'> {
  const { institutionId, content } = change;
  const line = content.fields;
  const standing = around.standings.get(reportId(line)) ?? NEW_REPORT;
  if (isArchivedBefore(change, standing)) return ARCHIVED;
  const form = activeForm(around.forms, line.date);
  const judged = judgeEntry(line, { institutionId, form, employee: around.employees.get(line.onBehalfOfId ?? '') });
  if ('reason' in judged) return { kind: judged.mayChange ? 'unresolved' : 'rejected', reason: judged.reason };
  const grown = together(standing.size, sizeOf([judged.value]));
  const refusal = refusalOfSize(grown);
  if (refusal !== undefined) return { kind: 'rejected', reason: refusal };
  around.standings.set(reportId(line), { ...standing, size: grown });
  return { draft: draftOf(change, line, { ...judged, now }), logRevision: standing.logRevision };
}

/** Returns the draft of an entry. Missing times are set to now; system entries have no `submitted_at`. */
function draftOf({ id, sequence }: Change, line: EntryLine, { value, now }: { value: EntryDraft['value']; now: number }): EntryDraft {
  return {
    id,
    fieldId: line.fieldId,
    value,
    authorId: line.authorId,
    onBehalfOfId: line.onBehalfOfId,
    burned: line.burned,
    submittedAt: line.authorId === null ? null : (line.submittedAt ?? now),
    createdAt: line.createdAt ?? now,
    modifiedAt: line.modifiedAt ?? now,
    origin: { fingerprint: line.fingerprint, liveSequence: sequence },
  };
}

/**
 * Removes an entry as if it had never existed. The entry before it is the newest of its group again.
 *
 * @returns false, without any change, if the status of the report has changed since: it may be archived
 */
async function removeEntry(needs: IngestNeeds, { change: { institutionId, id }, entry, logRevision }: Removal): Promise<boolean> {
  const tenant = { institutionId };
  const mark = { id: newId(), at: Math.floor(needs.clock.now() / 1000), autofilled: [] };
  const marked = await needs.reports.mark(tenant, entry, { mark, sequences: 0, bytes: 0, logRevision });
  if (marked === undefined) return false;
  const removed = (await needs.entries.find(tenant, [id])).get(id);
  // Before the removal: after a crash in between, nothing would name the photos that have to be removed, too.
  if (removed !== undefined) await needs.uploads.named(tenant, photoKeysOf(removed.value));
  await needs.entries.remove(tenant, id, needs.events.removed(tenant, entry));
  needs.notifyOutbox();
  await settleReports(needs, tenant, [entry], { own: [mark], insist: true });
  return true;
}
