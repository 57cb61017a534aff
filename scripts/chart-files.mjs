// Writes the files of the Helm chart that describe the platform, from the tables in deploy/local and libs/contracts; with --check it only
// says whether the files are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { topology } from '../deploy/local/dist/index.js';
import { events, streams, subscriptions } from '../libs/contracts/dist/index.js';

const FOLDER = 'helm/stechuhr/files';

/** Whom the command line talks to. */
const toolbox = {
  name: 'toolbox',
  needs: ['nats', 'redis'],
  calls: topology.filter(({ serves }) => serves === 'grpc').map(({ name }) => name),
};

/** The consumer whose backlog determines the number of pods of a service. */
function scaledBy(service) {
  const job = subscriptions.find((line) => line.service === service && line.stream === streams.jobs.name);
  return job === undefined || service !== 'worker' ? {} : { scaledBy: { stream: job.stream, durable: job.durable } };
}

/** Streams are created by whichever service comes first; none may empty or remove one. */
const streamRequests = Object.values(streams).flatMap(({ name }) =>
  ['CREATE', 'UPDATE', 'INFO'].map((verb) => `$JS.API.STREAM.${verb}.${name}`),
);

/** Everything about its own consumer, and no other. */
function consumerRequests({ stream, durable }) {
  const api = ['INFO', 'MSG.NEXT', 'DURABLE.CREATE', 'CREATE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${durable}`);
  return [...api, `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`, `$JS.ACK.${stream}.${durable}.>`];
}

/** A reply arrives in an inbox to which no other user may subscribe. */
const inboxOf = (name) => `_INBOX_${name}.>`;

/** What the user of a service may publish and subscribe to. */
function permissionsOf(service) {
  const taken = subscriptions.filter((line) => line.service === service);
  const fed = subscriptions.filter(({ stream, publishers }) => stream === streams.jobs.name && publishers.includes(service));
  const own = events.some(({ type }) => type.startsWith(`${service}.`)) ? [`stechuhr.events.*.${service}.>`] : [];
  const dead = taken.length > 0 || fed.length > 0 ? ['stechuhr.dead.*'] : [];
  const publish = [
    '$JS.API.INFO',
    ...streamRequests,
    ...own,
    ...fed.map(({ filterSubject }) => filterSubject),
    ...dead,
    ...taken.flatMap(consumerRequests),
  ];
  return { publish, subscribe: [inboxOf(service)] };
}

const permissions = {
  ...Object.fromEntries(topology.filter(({ needs }) => needs.includes('nats')).map(({ name }) => [name, permissionsOf(name)])),
  // For people: it shows events, and sends dead letters back to where they came from.
  toolbox: { publish: ['$JS.API.>', '$JS.ACK.>', 'stechuhr.>'], subscribe: [inboxOf('toolbox')] },
};

const files = {
  'nats-permissions.json': permissions,
  'topology.json': { services: topology.map((service) => ({ ...service, ...scaledBy(service.name) })), toolbox },
};

for (const [name, content] of Object.entries(files)) {
  const file = `${FOLDER}/${name}`;
  const text = await format(JSON.stringify(content, undefined, 2), { ...(await resolveConfig(file)), parser: 'json' });
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} does not match the tables: npm run docs`);
    process.exitCode = 1;
  }
}
