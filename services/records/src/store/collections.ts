import { deletionMarkerIndex, outboxIndex, type MongoDb } from '@stechuhr/mongo';
import type { Collection, mongo } from 'mongoose';
import { LARGE_MONTH_BYTES } from '../domain/month.js';
import type { DocumentKind } from '../domain/stored-record.js';

export type Documents<T extends { _id: string }> = mongo.Collection<T>;

/** The collection of each kind with one document per record; the other kinds are stored in month documents. */
const collectionNames: Readonly<Record<DocumentKind, string>> = {
  institution: 'institutions',
  department: 'departments',
  project: 'projects',
  account: 'accounts',
  employee: 'employees',
  contract: 'contracts',
  absence: 'absences',
  absence_application: 'absence_applications',
};

type IndexKeys = Readonly<Record<string, 1>>;
interface Index {
  readonly key: IndexKeys;
  readonly sparse?: boolean;
  readonly partialFilterExpression?: object;
}

const outbox: Index = { key: outboxIndex[0], ...outboxIndex[1] };
const leaving: Index = { key: { leaving: 1 }, sparse: true };
const byChange: Index = { key: { institution_id: 1, modified_at: 1 } };
/** Supports the shard key (docs/sharding.md). */
const byId: Index = { key: { institution_id: 1, _id: 1 } };
/** Contains only large months, which nearly all institutions lack. */
const largeMonths: Index = {
  key: { institution_id: 1, workday_bytes: 1 },
  partialFilterExpression: { workday_bytes: { $gt: LARGE_MONTH_BYTES } },
};
const byStart: Index = { key: { institution_id: 1, starts_on: 1, employee_id: 1, _id: 1 } };
const ofEmployee: Index = { key: { institution_id: 1, employee_id: 1 } };

const indexes: Readonly<Record<string, readonly Index[]>> = {
  institutions: [outbox, leaving],
  departments: [outbox, leaving, byId, byChange],
  projects: [outbox, leaving, byId, byChange],
  accounts: [outbox, leaving, byId, byChange],
  employees: [
    outbox,
    leaving,
    byId,
    { key: { institution_id: 1, department_id: 1 } },
    { key: { institution_id: 1, account_id: 1 } },
    byChange,
  ],
  contracts: [outbox, byId, ofEmployee, { key: { institution_id: 1, valid_from: 1, employee_id: 1, _id: 1 } }, byChange],
  absences: [outbox, byId, ofEmployee, byStart, byChange],
  absence_applications: [outbox, byId, ofEmployee, byStart, byChange],
  workmonths: [
    outbox,
    { key: { institution_id: 1, 'workdays.id': 1 } },
    { key: { institution_id: 1, 'workdays.timespans.project_id': 1, year: 1, month: 1 } },
    { key: { institution_id: 1, id: 1 } },
    // A covering index for the number of entries in each month.
    { key: { institution_id: 1, year: 1, month: 1, employee_id: 1, workday_count: 1, timespan_count: 1 } },
    { key: { institution_id: 1, employee_id: 1, year: 1, month: 1 } },
    { key: { institution_id: 1, touched_at: 1 } },
    largeMonths,
  ],
  deletion_markers: [{ key: deletionMarkerIndex }],
};

/** Creates the indexes, because there are no mongoose models that would. @returns the collections whose documents have an outbox */
export async function openCollections({ connection }: MongoDb): Promise<Collection[]> {
  for (const [name, wanted] of Object.entries(indexes)) {
    await connection.collection(name).createIndexes(wanted.map(({ key, ...options }) => ({ key: { ...key }, ...options })));
  }
  return [...Object.values(collectionNames), 'workmonths'].map((name) => connection.collection(name));
}

/** Returns the name of the collection whose documents hold the events of a kind until they are published. */
export function outboxOfKind(kind: string): string {
  return Object.entries(collectionNames).find(([name]) => name === kind)?.[1] ?? 'workmonths';
}

export function documentsOf<T extends { _id: string } = { _id: string }>(database: MongoDb, kind: DocumentKind): Documents<T> {
  return collectionOf(database, collectionNames[kind]);
}

/** Returns the native collection. There is no mongoose schema, because records are validated by their kinds (ADR 23). */
export function collectionOf<T extends { _id: string }>({ connection }: MongoDb, name: string): Documents<T> {
  return connection.getClient().db(connection.name).collection<T>(name);
}
