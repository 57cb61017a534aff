import type { ApplyTerms } from '@stechuhr/ingest';
import { describeMissing, obstacle, overtaken, referencesOf, type Outcome } from '@stechuhr/ingest/kinds';
import { activeForm } from '../../domain/form.js';
import { entryKind, type EntryLine } from '../../domain/lines/entry-line.js';
import { reportId } from '../../domain/report.js';
import type { KnownEntry } from '../entry-port.js';
import type { Tenant } from '../tenant.js';
import { readSurroundings, type Surroundings } from './entry-surroundings.js';
import { judgeEntry } from './judge-entry.js';
import { sameOrRefused, type EntryChange } from './entry-change.js';
import type { IngestNeeds } from './needs.js';
import { removeEntry } from './remove-entry.js';
import { writeEntries, type JudgedDraft } from './write-entries.js';

/**
 * Validates and writes entry lines, all of a report together. They take effect in the order given: where one has to wait, the later ones of
 * its institution wait behind it.
 */
export async function applyEntries(
  needs: IngestNeeds,
  changes: readonly EntryChange[],
  terms: ApplyTerms,
): Promise<Map<EntryChange, Outcome>> {
  const outcomes = new Map<EntryChange, Outcome>();
  for (const [institutionId, ofInstitution] of Map.groupBy(changes, (change) => change.institutionId)) {
    for (const [change, outcome] of await applyToInstitution(needs, { institutionId }, { changes: ofInstitution, terms }))
      outcomes.set(change, outcome);
  }
  return outcomes;
}

interface Batch {
  readonly changes: readonly EntryChange[];
  readonly terms: ApplyTerms;
}

async function applyToInstitution(needs: IngestNeeds, tenant: Tenant, { changes, terms }: Batch): Promise<Map<EntryChange, Outcome>> {
  const around = await readSurroundings(needs, tenant, changes);
  const outcomes = new Map<EntryChange, Outcome>();
  const drafts: JudgedDraft[] = [];
  let isHeld = false;
  for (const change of changes) {
    const judged: Judged = isHeld ? BEHIND : judge(change, around);
    if (judged.kind === 'draft') drafts.push({ change, draft: judged.draft });
    else if (judged.kind === 'removal') outcomes.set(change, await removeEntry(needs, change, judged.entry));
    else outcomes.set(change, judged);
    isHeld ||= terms.mayWait && judged.kind === 'unresolved';
  }
  for (const [change, outcome] of await writeEntries(needs, tenant, drafts)) outcomes.set(change, outcome);
  return outcomes;
}

const BEHIND: Outcome = { kind: 'behind' };

type Judged =
  | Outcome
  | { readonly kind: 'draft'; readonly draft: JudgedDraft['draft'] }
  | { readonly kind: 'removal'; readonly entry: KnownEntry | undefined };

function judge(change: EntryChange, around: Surroundings): Judged {
  const { id, institutionId, content, sequence } = change;
  const known = around.known.get(id);
  const isInTheWay = known && obstacle(change, { institutionId: known.institutionId, sequence: known.liveSequence });
  if (isInTheWay !== undefined) return isInTheWay;
  if (content === null) return { kind: 'removal', entry: known };
  if (known !== undefined) return sameOrRefused(known, content.fields);
  if (sequence !== undefined && sequence < (around.deletedAt.get(id) ?? 0)) return overtaken;
  const missing = referencesOf(entryKind, change).find((reference) => around.missing.has(`${reference.kind}/${reference.id}`));
  if (missing !== undefined) return { kind: 'unresolved', reason: describeMissing(missing) };
  if (around.statuses.get(reportId(content.fields)) === 'archived')
    return { kind: 'rejected', reason: 'The report of that day is archived.' };
  const form = activeForm(around.forms, content.fields.date);
  const judged = judgeEntry(content.fields, { institutionId, form, employee: around.employees.get(content.fields.onBehalfOfId ?? '') });
  if ('reason' in judged) return { kind: judged.mayChange ? 'unresolved' : 'rejected', reason: judged.reason };
  return { kind: 'draft', draft: draftOf(change, content.fields, { ...judged, now: around.now }) };
}

/** Times that a line omits are now; system entries have no `submitted_at`. */
function draftOf({ id, sequence }: EntryChange, line: EntryLine, { value, now }: { value: JudgedDraft['draft']['value']; now: number }) {
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
