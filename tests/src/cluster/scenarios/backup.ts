import { call, query } from '../../support/http.js';
import { lastMonth } from '../platform/last-month.js';
import type { Platform } from '../platform/platform.js';
import { podOf, settled } from '../platform/pods.js';
import { insist, type Scenario } from './scenario.js';

/** The databases that have to be backed up according to docs/backup-and-restore.md. */
const DATABASES = ['records', 'tasks', 'reviews', 'absence-rules', 'daily-reports', 'webhooks', 'gateway'] as const;

const KEEPER = 'keeper';

export const backupRestored: Scenario = {
  name: 'MongoDB lost with its volume and restored: the same export to the byte',
  async run(platform) {
    const { kube } = platform;
    const before = await exported(platform);
    await startKeeper(platform);
    await inKeeper(platform, DUMP);
    // Step 1 of docs/backup-and-restore.md.
    await kube.run(['scale', 'deployment', '--selector', 'app.kubernetes.io/instance=stechuhr', '--replicas', '0']);
    await kube.run(['wait', '--for=delete', 'pod', '--selector', 'app.kubernetes.io/component=gateway', '--timeout', '120s']);
    await kube.run(['scale', 'statefulset/stechuhr-mongodb', '--replicas', '0']);
    await kube.run(['wait', '--for=delete', 'pod/stechuhr-mongodb-0', '--timeout', '120s']);
    await kube.run(['delete', 'persistentvolumeclaim/data-stechuhr-mongodb-0', '--wait']);
    await kube.run(['scale', 'statefulset/stechuhr-mongodb', '--replicas', '1']);
    await kube.run(['rollout', 'status', 'statefulset/stechuhr-mongodb', '--timeout', '5m']);
    insist((await inKeeper(platform, COUNT)).trim() === '0', 'the new MongoDB is not empty');
    // Steps 2, 4 and 5. Redis stores nothing permanently, so a new pod has the same effect as FLUSHDB.
    const restored = await inKeeper(platform, RESTORE);
    await kube.run(['delete', 'pod', 'stechuhr-redis-0', KEEPER, '--wait']);
    await platform.release.upgrade(platform.values());
    await settled(platform);
    insist((await exported(platform)) === before, 'the export after the restore is another one');
    return { requests: 2, failed: 0, note: `${restored.trim()} documents` };
  },
};

async function exported(platform: Platform): Promise<string> {
  const { daterange } = lastMonth();
  const answer = await call(`${platform.gateway}/api/v2/exports/generic/?${query({ daterange, response_only: 'true' })}`, platform);
  insist(answer.status === 200, `the export was answered with ${answer.status}: ${answer.text}`);
  return answer.text;
}

/** Starts a pod that has access to MongoDB and stores the backup. */
async function startKeeper(platform: Platform): Promise<void> {
  const { kube, images } = platform;
  const { spec } = await kube.get('pod', await podOf(platform, 'toolbox'));
  const { existingSecret } = platform.values()['mongodb'] as { existingSecret: string };
  const secret = existingSecret === '' ? 'stechuhr-mongodb' : existingSecret;
  await kube.run(['delete', 'pod', KEEPER, '--ignore-not-found', '--wait']);
  await kube.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: KEEPER, labels: { 'app.kubernetes.io/instance': 'stechuhr', 'app.kubernetes.io/component': 'toolbox' } },
    spec: {
      ...{ automountServiceAccountToken: false, securityContext: spec.securityContext, terminationGracePeriodSeconds: 1 },
      containers: [
        {
          ...{ name: KEEPER, image: images['records'], imagePullPolicy: 'IfNotPresent' },
          args: ['--eval', "process.once('SIGTERM', () => process.exit()); setInterval(() => {}, 60_000)"],
          env: DATABASES.map((name) => ({ name, valueFrom: { secretKeyRef: { name: secret, key: name } } })),
          securityContext: spec.containers[0].securityContext,
          resources: { requests: { cpu: '10m', memory: '64Mi' } },
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }],
    },
  });
  await kube.run(['wait', '--for=condition=Ready', `pod/${KEEPER}`, '--timeout', '60s']);
}

function inKeeper({ kube }: Platform, script: string): Promise<string> {
  return kube.node(KEEPER, PRELUDE + script);
}

/** Replaces mongodump and mongorestore, which the servers do not contain: reads and writes all collections with their types. */
const PRELUDE = `
  import { readFileSync, writeFileSync } from 'node:fs';
  import mongoose from 'mongoose';
  const { EJSON } = mongoose.mongo.BSON;
  const file = '/tmp/dump.json';
  const exact = { promoteValues: false, promoteLongs: false, promoteBuffers: false };
  async function eachDatabase(work) {
    for (const name of ${JSON.stringify(DATABASES)}) {
      const client = await mongoose.mongo.MongoClient.connect(process.env[name]);
      await work(name, client.db('stechuhr_' + name.replaceAll('-', '_')));
      await client.close();
    }
  }
`;

const DUMP = `
  const dump = {};
  await eachDatabase(async (name, db) => {
    dump[name] = {};
    for (const each of await db.listCollections().toArray()) dump[name][each.name] = await db.collection(each.name).find({}, exact).toArray();
  });
  writeFileSync(file, EJSON.stringify(dump, undefined, 0, { relaxed: false }));
`;

const COUNT = `
  let count = 0;
  await eachDatabase(async (_, db) => {
    for (const each of await db.listCollections().toArray()) count += await db.collection(each.name).countDocuments();
  });
  console.log(count);
`;

const RESTORE = `
  const dump = EJSON.parse(readFileSync(file, 'utf8'), { relaxed: false });
  let count = 0;
  await eachDatabase(async (name, db) => {
    for (const [collection, documents] of Object.entries(dump[name])) {
      if (documents.length > 0) count += (await db.collection(collection).insertMany(documents)).insertedCount;
    }
  });
  console.log(count);
`;
