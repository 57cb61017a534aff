// Shards the databases of Stechuhr: mongosh "$URL" mongodb-sharding.js (docs/sharding.md). Written by npm run docs.
const databases = {
  stechuhr_records: {
    institutions: {
      key: {
        _id: 1,
      },
    },
    departments: {
      key: {
        institution_id: 1,
        _id: 1,
      },
      replaced: ['institution_id_1'],
    },
    projects: {
      key: {
        institution_id: 1,
        _id: 1,
      },
      replaced: ['institution_id_1'],
    },
    accounts: {
      key: {
        institution_id: 1,
        _id: 1,
      },
      replaced: ['institution_id_1'],
    },
    employees: {
      key: {
        institution_id: 1,
        _id: 1,
      },
    },
    contracts: {
      key: {
        institution_id: 1,
        _id: 1,
      },
    },
    absences: {
      key: {
        institution_id: 1,
        _id: 1,
      },
    },
    absence_applications: {
      key: {
        institution_id: 1,
        _id: 1,
      },
    },
    workmonths: {
      key: {
        institution_id: 1,
        employee_id: 1,
        year: 1,
        month: 1,
      },
      replaced: ['workdays.id_1', 'workdays.timespans.id_1', 'workdays.timespans.project_id_1_year_1_month_1', 'id_1'],
    },
    deletion_markers: {
      key: {
        _id: 1,
      },
    },
  },
  stechuhr_tasks: {
    tasks: {
      key: {
        institution_id: 1,
      },
      replaced: [
        'fingerprint_1',
        'status_1_created_at_1',
        'institution_id_1_account_id_1_created_at_1',
        'institution_id_1_status_1_created_at_1',
      ],
    },
  },
  stechuhr_reviews: {
    suppressions: {
      key: {
        institution_id: 1,
      },
      replaced: ['key_1'],
    },
    review_settings: {
      key: {
        _id: 1,
      },
    },
  },
  stechuhr_absence_rules: {
    absence_rules: {
      key: {
        institution_id: 1,
        _id: 1,
      },
    },
  },
  stechuhr_daily_reports: {
    entries: {
      key: {
        institution_id: 1,
      },
      replaced: ['place_1', 'group_1', 'report_1_sequence_1', 'value.imageKey_1', 'value.thumbKey_1'],
    },
    forms: {
      key: {
        institution_id: 1,
      },
      replaced: ['key_1'],
    },
    descriptors: {
      key: {
        institution_id: 1,
        _id: 1,
      },
      replaced: ['log.id_1'],
    },
    uploads: {
      key: {
        institution_id: 1,
        _id: 1,
      },
    },
    weather_claims: {
      key: {
        _id: 1,
      },
    },
    deletion_markers: {
      key: {
        _id: 1,
      },
    },
  },
  stechuhr_webhooks: {
    webhooks: {
      key: {
        institution_id: 1,
      },
    },
    deliveries: {
      key: {
        institution_id: 1,
        _id: 1,
      },
    },
  },
};
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
      !index.sparse &&
      !index.partialFilterExpression &&
      Object.keys(key).every((field, at) => Object.entries(index.key)[at]?.join() === field + ',1');
    if (!indexes.some((index) => !replaced.includes(index.name) && serves(index))) collection.createIndex(key);
    sh.shardCollection(namespace, key);
    print(namespace + ' was sharded by ' + Object.keys(key).join(', '));
  }
}
