// Writes the files of the Helm chart that describe the platform, from the tables in deploy/local and libs/contracts; with --check it only
// says whether the files are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { topology } from '../deploy/local/dist/index.js';
import { busUsers, streams, subscriptions } from '../libs/contracts/dist/index.js';

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

const users = busUsers(topology.filter(({ needs }) => needs.includes('nats')).map(({ name }) => name));

const files = {
  'nats-permissions.json': users,
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
