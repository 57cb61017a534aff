import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { roomInOutbox, type MongoDb } from '@stechuhr/mongo';
import type { mongo } from 'mongoose';
import { nameOf } from '../domain/month-contents.js';
import type { DocumentKind, StoredRecord } from '../domain/stored-record.js';
import type { FieldCondition, RecordName, RecordStore, RecordWrite, TypedAbsence } from '../operations/ports.js';
import { nextVersion, writeAll, type VersionedWrite } from './bulk-write.js';
import { documentsOf, type Documents } from './collections.js';

/** A record as it is stored. Its own fields are on the same level. */
interface RecordDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly version: number;
  readonly sequence?: number;
  readonly leaving?: boolean | null;
  readonly deleted_at?: Date | null;
  /** Not named `created_at`, because some kinds have a field of this name with another meaning. */
  readonly recorded_at?: Date;
  readonly modified_at?: Date;
  readonly outbox?: CloudEvent[];
}

type Update = mongo.UpdateFilter<RecordDocument>;

/** The filter for present records. */
export const PRESENT = { deleted_at: null, leaving: null };

const SOME = 200;

export function createRecordStore(database: MongoDb, clock: Clock): RecordStore {
  const documents = (kind: DocumentKind): Documents<RecordDocument> => documentsOf(database, kind);
  const find = async (kind: DocumentKind, filter: mongo.Document) =>
    (
      await documents(kind)
        .find(filter, { projection: { outbox: { $slice: 1 } } })
        .toArray()
    ).map(toRecord);
  return {
    async load(kind, wanted) {
      const records = await find(kind, named(wanted));
      return new Map(records.map((record) => [nameOf(record, record.id), record]));
    },
    save: (kind, writes) =>
      writeAll(
        documents(kind),
        writes.map((write) => toOperation(write, clock)),
      ),
    async idsWith(kind, institutionId, condition) {
      const filter = { institution_id: institutionId, ...asFilter(condition), ...PRESENT };
      const found = await documents(kind)
        .find(filter, { projection: { _id: 1 }, limit: SOME })
        .toArray();
      return found.map(({ _id }) => _id);
    },
    leaving: (kind) => find(kind, { leaving: true }),
    async existing(kind, wanted) {
      const filter = { ...named(wanted), ...PRESENT };
      const found = await documents(kind)
        .find(filter, { projection: { institution_id: 1 } })
        .toArray();
      return new Set(found.map(({ _id, institution_id: institutionId }) => nameOf({ institutionId }, _id)));
    },
    takenByOthers: (kind, wanted) => takenByOthers(documents(kind), wanted),
    async absenceTypes(institutionIds) {
      const filter = { _id: { $in: [...institutionIds] }, ...PRESENT };
      const found = await documentsOf<InstitutionDocument>(database, 'institution')
        .find(filter, { projection: { 'absence_types.value': 1 } })
        .toArray();
      return new Map(found.map(({ _id, absence_types }) => [_id, new Set(absence_types.map(({ value }) => value))]));
    },
    absencesOfOtherTypes: (institutionId, types) => absencesOfOtherTypes(database, institutionId, types),
    async payrollStaff(institutionId) {
      const filter = { institution_id: institutionId, accounting_number: { $type: 'string' }, archived_on: null, ...PRESENT } as const;
      const found = await documentsOf<EmployeeDocument>(database, 'employee')
        .find(filter, { projection: { number: 1, accounting_number: 1, first_name: 1, last_name: 1 } })
        .toArray();
      return found.map(({ _id, number, accounting_number: accountingNumber, first_name, last_name }) => ({
        id: _id,
        number,
        accountingNumber,
        name: `${first_name} ${last_name}`,
      }));
    },
    async announce(institutionId, event) {
      await documents('institution').updateOne({ _id: institutionId, ...PRESENT }, { $push: { outbox: event } });
    },
  };
}

async function* absencesOfOtherTypes(
  database: MongoDb,
  institutionId: string,
  types: ReadonlySet<string>,
): AsyncGenerator<TypedAbsence, void, undefined> {
  const filter = { institution_id: institutionId, missing_type: { $nin: [...types] }, ...PRESENT };
  const found = documentsOf<AbsenceDocument>(database, 'absence').find(filter, { projection: { employee_id: 1, missing_type: 1 } });
  for await (const { _id: id, employee_id: employeeId, missing_type: missingType } of found) yield { id, employeeId, missingType };
}

interface EmployeeDocument {
  readonly _id: string;
  readonly number: string;
  readonly accounting_number: string;
  readonly first_name: string;
  readonly last_name: string;
}

interface AbsenceDocument {
  readonly _id: string;
  readonly employee_id: string;
  readonly missing_type: string;
}

interface InstitutionDocument {
  readonly _id: string;
  readonly absence_types: readonly { readonly value: string }[];
}

/**
 * Finds ids that other institutions use. The queries run on all shards. There is one for each institution: the others of a batch are among
 * those that may use an id. A deleted record uses its id no more, although its document stays until its events have been published.
 */
async function takenByOthers(collection: Documents<RecordDocument>, wanted: readonly RecordName[]): Promise<Map<string, string>> {
  const queries = Array.from(
    Map.groupBy(wanted, ({ institutionId }) => institutionId),
    ([institutionId, own]) => {
      const filter = { _id: { $in: own.map(({ id }) => id) }, institution_id: { $nin: [institutionId] }, deleted_at: null };
      return collection.find(filter, { projection: { institution_id: 1 } }).toArray();
    },
  );
  return new Map((await Promise.all(queries)).flat().map((document) => [document._id, document.institution_id]));
}

/**
 * Returns the filter for records. It contains the institutions, because a query by id alone would run on all shards. It also matches a record
 * whose id is wanted of another one of these institutions.
 */
function named(wanted: readonly RecordName[]) {
  const institutionIds = new Set(wanted.map(({ institutionId }) => institutionId));
  return { _id: { $in: [...new Set(wanted.map(({ id }) => id))] }, institution_id: { $in: [...institutionIds] } };
}

function asFilter(condition: FieldCondition | undefined): mongo.Document {
  return condition === undefined ? {} : { [condition.field]: condition.value };
}

function toRecord(document: RecordDocument): StoredRecord {
  const {
    _id,
    institution_id,
    version,
    sequence,
    leaving,
    deleted_at,
    outbox = [],
    recorded_at: _recorded,
    modified_at: _modified,
    ...fields
  } = document;
  const state = deleted_at ? 'gone' : leaving === true ? 'leaving' : 'present';
  return { id: _id, institutionId: institution_id, state, eventsWait: outbox.length > 0, version, sequence, fields };
}

function toOperation(write: RecordWrite, clock: Clock): VersionedWrite<RecordDocument> {
  const { institutionId, id, after, event } = write;
  if (write.state === 'present' && after === undefined)
    return { insertOne: { document: { _id: id, ...content(write, clock), ...(event && { outbox: [event] }) } } };
  const creates = write.state === 'present' && after?.state !== 'present';
  const update: Update = { ...stateUpdate(write, clock), ...(event && { $push: { outbox: event } }) };
  // A deletion is always possible, even if the outbox is full.
  const room = write.state === 'present' && event !== undefined ? roomInOutbox : {};
  return {
    updateOne: { filter: { _id: id, institution_id: institutionId, version: after?.version ?? 0, ...room }, update, upsert: creates },
  };
}

/** Returns the complete content of a present record. */
function content({ institutionId, after, fields, sequence, event }: RecordWrite, clock: Clock) {
  const now = new Date(clock.now());
  const times = { ...(after?.state !== 'present' && { recorded_at: now }), ...(event !== undefined && { modified_at: now }) };
  const version = nextVersion(after);
  return { institution_id: institutionId, version, ...(sequence !== undefined && { sequence }), ...fields, ...times };
}

function stateUpdate(write: RecordWrite, clock: Clock): Update {
  const { state, after, sequence } = write;
  const version = nextVersion(after);
  const now = new Date(clock.now());
  switch (state) {
    case 'present':
      return { $set: content(write, clock), $unset: { leaving: 1, deleted_at: 1, ...(sequence === undefined && { sequence: 1 }) } };
    case 'leaving':
      return { $set: { version, leaving: true } };
    case 'gone':
      return { $set: { version, deleted_at: now }, $unset: { leaving: 1 } };
  }
}
