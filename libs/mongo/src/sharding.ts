/** How a collection is distributed over the shards of a cluster. */
export interface ShardedCollection {
  /** The shard key. Every unique index except the one on `_id` begins with it. */
  readonly key: Readonly<Record<string, 1>>;
  /** Indexes of earlier versions that are not used any more. They are dropped before the collection is sharded. */
  readonly replaced?: readonly string[];
}

const byInstitution = { institution_id: 1 } as const;
const byRecord = { institution_id: 1, _id: 1 } as const;
/** For collections whose `_id` is, or begins with, the institution's id. */
const byId = { _id: 1 } as const;

/**
 * The sharded collections by database (docs/sharding.md). An institution is stored on one shard until it is large. Then its records are
 * split by id, and its months, which are most of the data, by employee. A collection with a unique index that contains only the institution
 * before other fields keeps each institution on one shard.
 *
 * Not included: small collections that are read without an institution (`tokens` of the gateway, `sweeps` everywhere).
 */
export const sharding: Readonly<Record<string, Readonly<Record<string, ShardedCollection>>>> = {
  stechuhr_records: {
    institutions: { key: byId },
    departments: { key: byRecord, replaced: ['institution_id_1'] },
    projects: { key: byRecord, replaced: ['institution_id_1'] },
    accounts: { key: byRecord, replaced: ['institution_id_1'] },
    employees: { key: byRecord },
    contracts: { key: byRecord },
    absences: { key: byRecord },
    absence_applications: { key: byRecord },
    workmonths: {
      key: { institution_id: 1, employee_id: 1, year: 1, month: 1 },
      replaced: ['workdays.id_1', 'workdays.timespans.id_1', 'workdays.timespans.project_id_1_year_1_month_1', 'id_1'],
    },
    deletion_markers: { key: byId },
  },
  stechuhr_tasks: {
    tasks: {
      key: byInstitution,
      replaced: [
        'fingerprint_1',
        'status_1_created_at_1',
        'institution_id_1_account_id_1_created_at_1',
        'institution_id_1_status_1_created_at_1',
      ],
    },
  },
  stechuhr_reviews: {
    suppressions: { key: byInstitution, replaced: ['key_1'] },
    review_settings: { key: byId },
  },
  stechuhr_absence_rules: { absence_rules: { key: byRecord } },
  stechuhr_daily_reports: {
    entries: {
      key: byInstitution,
      replaced: ['place_1', 'group_1', 'report_1_sequence_1', 'value.imageKey_1', 'value.thumbKey_1'],
    },
    forms: { key: byInstitution, replaced: ['key_1'] },
    descriptors: { key: byRecord, replaced: ['log.id_1'] },
    uploads: { key: byRecord },
    weather_claims: { key: byId },
    deletion_markers: { key: byId },
  },
  stechuhr_webhooks: { webhooks: { key: byInstitution }, deliveries: { key: byRecord } },
};

/**
 * Returns a mongosh script for a user with the role `clusterManager` who may create and drop indexes. It creates the index of each shard
 * key, drops replaced indexes, and shards the collections that are not sharded yet. It can be run repeatedly.
 */
export function shardingScript(table: typeof sharding): string {
  return `// Shards the databases of Stechuhr: mongosh "$URL" mongodb-sharding.js (docs/sharding.md). Written by npm run docs.
const databases = ${JSON.stringify(table, undefined, 2)};
// On a new installation the services may not have created the collection yet.
const indexesOf = (collection) => {
  try {
    return collection.getIndexes();
  } catch (error) {
    if (error.code !== 26) throw error;
    return [];
  }
};
for (const [database, collections] of Object.entries(databases)) {
  sh.enableSharding(database);
  for (const [name, { key, replaced = [] }] of Object.entries(collections)) {
    const namespace = database + '.' + name;
    if (db.getSiblingDB('config').collections.findOne({ _id: namespace, unsplittable: { $ne: true } }) !== null) {
      print(namespace + ' is sharded');
      continue;
    }
    const collection = db.getSiblingDB(database).getCollection(name);
    const indexes = indexesOf(collection);
    for (const { name: index } of indexes.filter((one) => replaced.includes(one.name))) collection.dropIndex(index);
    const serves = (index) =>
      !index.sparse && !index.partialFilterExpression && Object.keys(key).every((field, at) => Object.entries(index.key)[at]?.join() === field + ',1');
    if (!indexes.some((index) => !replaced.includes(index.name) && serves(index))) collection.createIndex(key);
    sh.shardCollection(namespace, key);
    print(namespace + ' was sharded by ' + Object.keys(key).join(', '));
  }
}
`;
}
