// Writes docs/asyncapi.json from the catalogue in libs/contracts; with --check it only checks whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import {
  cloudEventSchema,
  deadLetterSchema,
  events,
  partitionedStreams,
  ingestKinds,
  handedOverKinds,
  streams,
  subscriptions,
} from '../libs/contracts/dist/index.js';

const FILE = 'docs/asyncapi.json';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const schemaOf = (schema) => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
};
const daysOf = ({ maxAgeMs }) => maxAgeMs / 86_400_000;
const institution = { description: 'Id of the institution, a UUID; `*` subscribes to all that your user may see.' };
const nameOf = (type) => type.replace(/[.-](\w)/g, (_all, letter) => letter.toUpperCase());

const AT_LEAST_ONCE = 'Published at least once; a repetition has the same id.';
const AT_MOST_ONCE = 'Published at most once: lost if its process is killed or NATS is unavailable.';

const envelope = schemaOf(cloudEventSchema);

/** Returns the schema for readers. It allows unknown fields, because a later version may add some. */
const openSchemaOf = (schema) =>
  JSON.parse(JSON.stringify(schemaOf(schema), (key, value) => (key === 'additionalProperties' && value === false ? undefined : value)));

/** The headers of the message on NATS. */
const eventHeaders = {
  type: 'object',
  properties: {
    'Nats-Msg-Id': { ...envelope.properties.id, description: 'The id of the event.' },
    traceparent: { type: 'string', description: 'W3C Trace Context of the publication, in the trace of the event; only with telemetry.' },
  },
  required: ['Nats-Msg-Id'],
};

function messageOf({ type, description, data, atMostOnce }) {
  const own = { type: 'object', properties: { type: { const: `stechuhr.${type}.v1` }, data: openSchemaOf(data) } };
  return {
    name: `stechuhr.${type}.v1`,
    title: type,
    summary: description,
    description: atMostOnce ? AT_MOST_ONCE : AT_LEAST_ONCE,
    contentType: 'application/cloudevents+json',
    headers: { $ref: '#/components/schemas/EventHeaders' },
    payload: { allOf: [{ $ref: '#/components/schemas/CloudEvent' }, own] },
  };
}

const eventChannels = events.map((event) => [
  nameOf(event.type),
  {
    address: `stechuhr.events.{institution}.${event.type}`,
    summary: event.description,
    parameters: { institution },
    messages: { event: { $ref: `#/components/messages/${nameOf(event.type)}` } },
  },
]);
const recordKinds = [...ingestKinds, ...handedOverKinds];
const recordSchemaOf = (kind) => {
  const { $schema: _dialect, ...schema } = JSON.parse(readFileSync(`libs/contracts/schemas/${kind}.json`, 'utf8'));
  return schema;
};
const ingestChannels = recordKinds.map((kind) => [
  `ingest_${kind}`,
  {
    address: `stechuhr.ingest.{institution}.${kind}`,
    summary: `A record of kind ${kind}, the same object as in a line of an import; an invalid one becomes a dead letter.`,
    parameters: { institution },
    messages: { record: { $ref: `#/components/messages/record_${kind}` } },
  },
]);
const dead = {
  address: 'stechuhr.dead.{origin}.{institution}.{part}',
  summary: `Messages that could not be handled, with the reason; kept for at most ${daysOf(streams.dead)} days.`,
  parameters: {
    origin: {
      enum: [...new Set(subscriptions.map(({ deadLetter }) => deadLetter))],
      description: 'The kind of message: live objects, background exports, or what a service consumes.',
    },
    institution: {
      description: 'Id of the institution, a UUID, or `none` if the message has none; `*` subscribes to all that your user may see.',
    },
    part: { description: 'A number from 0 to 1023, without a meaning: the stream keeps some letters of each.' },
  },
  messages: { deadLetter: { $ref: '#/components/messages/deadLetter' } },
};

const consumersOf = ({ consumers }) => (consumers.length > 0 ? ` Consumed here by ${consumers.join(', ')}.` : '');
const operations = [
  ...events.map((event) => [
    `send_${nameOf(event.type)}`,
    { action: 'send', channel: { $ref: `#/channels/${nameOf(event.type)}` }, summary: `${event.description}${consumersOf(event)}` },
  ]),
  ...ingestChannels.map(([name]) => [`receive_${name}`, { action: 'receive', channel: { $ref: `#/channels/${name}` } }]),
  ['send_deadLetter', { action: 'send', channel: { $ref: '#/channels/dead' } }],
];

const document = {
  asyncapi: '3.1.0',
  info: {
    title: 'Stechuhr on NATS',
    version,
    description: `Events that the platform publishes and records that it takes, on NATS JetStream. Events are CloudEvents 1.0 in structured JSON mode; an event may arrive twice, with the same \`id\`. ${streams.events.name} keeps events for at most ${daysOf(streams.events)} days, ${streams.dead.name} dead letters for at most ${daysOf(streams.dead)}; ${streams.ingest.name} keeps records until they are handled. The prose, including the order of events, is in docs/events.md, examples are in docs/subscriber.mjs and docs/publisher.mjs.`,
  },
  defaultContentType: 'application/json',
  servers: {
    nats: {
      host: 'nats:4222',
      protocol: 'nats',
      description: `JetStream; streams ${streams.events.name} (with partitions also ${partitionedStreams.events.stream(1)} and so on, as its metadata say), ${streams.ingest.name}, ${streams.dead.name}.`,
    },
  },
  channels: { ...Object.fromEntries(eventChannels), ...Object.fromEntries(ingestChannels), dead },
  operations: Object.fromEntries(operations),
  components: {
    schemas: {
      CloudEvent: envelope,
      EventHeaders: eventHeaders,
      ...Object.fromEntries(recordKinds.map((kind) => [kind, recordSchemaOf(kind)])),
    },
    messages: {
      ...Object.fromEntries(events.map((event) => [nameOf(event.type), messageOf(event)])),
      ...Object.fromEntries(
        recordKinds.map((kind) => [
          `record_${kind}`,
          {
            name: kind,
            summary: `An object of the import contract (docs/records/${kind}.md); or \`deleted: true\`.`,
            payload: { $ref: `#/components/schemas/${kind}` },
          },
        ]),
      ),
      deadLetter: { summary: 'A message that could not be handled, and why.', payload: schemaOf(deadLetterSchema) },
    },
  },
};

const text = await format(JSON.stringify(document), { ...(await resolveConfig(FILE)), parser: 'json' });
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} does not match the catalogue: npm run docs`);
  process.exitCode = 1;
}
