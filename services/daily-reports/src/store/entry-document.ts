import type { Entry } from '../domain/entry.js';
import { groupHash } from '../domain/entry.js';
import { bytesOfTexts } from '../domain/entry-value.js';
import type { EntryWrite, KnownEntry } from '../operations/entry-port.js';
import type { Tenant } from '../operations/tenant.js';
import type { EntryDocument } from './entry-model.js';
import { documentId, toDate, toSecond } from './keys.js';

/** Returns an id of a group that is unique across institutions. */
export function groupKey({ institutionId }: Tenant, hash: string): string {
  return `${institutionId}/${hash}`;
}

export function hashOfGroup(group: string): string {
  return group.slice(group.indexOf('/') + 1);
}

export function toDocument(tenant: Tenant, { entry, version, origin, event }: EntryWrite): EntryDocument {
  const group = groupKey(tenant, groupHash(entry));
  return {
    _id: entry.id,
    institution_id: tenant.institutionId,
    tag_id: entry.tagId,
    date: entry.date,
    report: documentId(tenant, entry),
    sequence: entry.sequence,
    field_id: entry.fieldId,
    field_key: `${entry.value.type}/${entry.fieldId}`,
    group,
    version,
    place: `${group}/${String(version)}`,
    superseded: false,
    author_id: entry.authorId,
    on_behalf_of_id: entry.onBehalfOfId,
    burned: entry.burned,
    submitted_at: entry.submittedAt === null ? null : toDate(entry.submittedAt),
    created_at: toDate(entry.createdAt),
    modified_at: toDate(entry.modifiedAt),
    stored_at: new Date(),
    value: entry.value,
    bytes: bytesOfTexts(entry.value),
    fingerprint: origin.fingerprint,
    live_sequence: origin.liveSequence ?? null,
    outbox: [event],
  };
}

export function toEntry(document: Omit<EntryDocument, 'outbox'>): Entry {
  return {
    id: document._id,
    tagId: document.tag_id,
    date: document.date,
    fieldId: document.field_id,
    value: document.value,
    authorId: document.author_id,
    onBehalfOfId: document.on_behalf_of_id,
    burned: document.burned,
    submittedAt: document.submitted_at === null ? null : toSecond(document.submitted_at),
    createdAt: toSecond(document.created_at),
    modifiedAt: toSecond(document.modified_at),
    sequence: document.sequence,
  };
}

type KnownFields = '_id' | 'institution_id' | 'tag_id' | 'date' | 'fingerprint' | 'live_sequence';

export function toKnown(document: Pick<EntryDocument, KnownFields>): KnownEntry {
  return {
    id: document._id,
    institutionId: document.institution_id,
    tagId: document.tag_id,
    date: document.date,
    fingerprint: document.fingerprint,
    liveSequence: document.live_sequence ?? undefined,
  };
}
