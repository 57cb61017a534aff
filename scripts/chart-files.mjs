// Writes the files of the Helm chart that describe the platform, from the tables in deploy/local and libs/contracts; with --check it only
// checks whether the files are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { topology } from '../deploy/local/dist/index.js';
import { sharding, shardingScript } from '../libs/mongo/dist/index.js';
import { busUsers, openMethods, streams, subscriptions } from '../libs/contracts/dist/index.js';

const FOLDER = 'helm/stechuhr/files';

/** The servers and services that the command line uses. */
const toolbox = {
  name: 'toolbox',
  needs: ['nats', 'redis'],
  calls: topology.filter(({ serves }) => serves === 'grpc').map(({ name }) => name),
};

/** Returns the consumer whose backlog determines the number of pods of a service. */
function scaledBy(service) {
  const job = subscriptions.find((line) => line.service === service && line.stream === streams.jobs.name);
  return job === undefined || service !== 'worker' ? {} : { scaledBy: { stream: job.stream, durable: job.durable } };
}

/** Returns the methods that services of other teams can be allowed to call. */
function openTo(service) {
  const methods = openMethods.filter((method) => method.startsWith(`stechuhr.${service.replaceAll('-', '_')}.`));
  return methods.length === 0 ? {} : { openMethods: methods };
}

const users = busUsers(topology.filter(({ needs }) => needs.includes('nats')).map(({ name }) => name));

/** The S3 actions of each service. A test fails if a service that uses S3 is missing here, because it would have no policy. */
const objectAccess = {
  tasks: { prefix: 'exports/', actions: ['GetObject', 'DeleteObject', 'AbortMultipartUpload'] },
  worker: { prefix: 'exports/', actions: ['PutObject', 'DeleteObject', 'AbortMultipartUpload', 'ListMultipartUploadParts'] },
  'daily-reports': { prefix: 'uploads/', actions: ['GetObject', 'PutObject', 'DeleteObject'] },
};

/**
 * Returns the policy of an S3 user, with BUCKET as a placeholder. Without ListBucket a store answers 403 instead of 404 for a missing
 * object. ListBucket reveals keys, which is acceptable because they consist of ids.
 */
function objectPolicy({ prefix, actions }) {
  const s3 = (names) => names.map((name) => `s3:${name}`);
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: s3(actions), Resource: [`arn:aws:s3:::BUCKET/${prefix}*`] },
      { Effect: 'Allow', Action: s3(['ListBucket', 'ListBucketMultipartUploads']), Resource: ['arn:aws:s3:::BUCKET'] },
    ],
  };
}

const files = {
  'mongodb-sharding.js': shardingScript(sharding),
  's3-policies.json': Object.fromEntries(Object.entries(objectAccess).map(([service, access]) => [service, objectPolicy(access)])),
  'nats-permissions.json': users,
  'topology.json': {
    services: topology.map(({ youngGenerationMb: _, ...service }) => ({ ...service, ...scaledBy(service.name), ...openTo(service.name) })),
    toolbox,
  },
};

for (const [name, content] of Object.entries(files)) {
  const file = `${FOLDER}/${name}`;
  const [source, parser] = typeof content === 'string' ? [content, 'babel'] : [JSON.stringify(content, undefined, 2), 'json'];
  const text = await format(source, { ...(await resolveConfig(file)), parser });
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} does not match the tables: npm run docs`);
    process.exitCode = 1;
  }
}
