// Writes docs/events.md from the catalogue in libs/contracts; with --check it only checks whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { events, metadataOf, partitionedStreams, streams } from '../libs/contracts/dist/index.js';

const FILE = 'docs/events.md';
const [, STREAMS] = Object.keys(metadataOf({ partitions: 1, streams: 1 }));

/** Returns the type of a field as text; a nullable field is written as `<type> or null`. */
function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' or ');
  return schema.anyOf?.map(typeOf).join(' or ') ?? schema.format ?? schema.type;
}

/** Returns the table row of an event. The fields of `data` and their types come from the JSON schema of the event. */
function row(event) {
  const [service, entity, verb] = event.type.split('.');
  const { properties = {}, required = [] } = z.toJSONSchema(event.data);
  const fields = Object.entries(properties).map(([name, schema]) => `\`${name}\`${required.includes(name) ? '' : '?'} ${typeOf(schema)}`);
  const consumers = event.consumers.length > 0 ? event.consumers.join(', ') : '–';
  const description = event.atMostOnce ? `${event.description} _At most once._` : event.description;
  return `| \`${service}.${entity}.${verb}\` | ${description} | ${fields.join(', ')} | ${consumers} |`;
}

const DAY_MS = 86_400_000;
const GIB = streams.events.maxBytes / 2 ** 30;
const MOST = streams.events.maxMessagesPerSubject.toLocaleString('en');
const streamRow = (stream) =>
  `| \`${stream.name}\` | ${stream.subjects.map((subject) => `\`${subject}\``).join(' ')} | ${stream.retention} | ${stream.maxAgeMs ? `at most ${stream.maxAgeMs / DAY_MS} days` : 'until handled'} |`;

const text = `# Events

Generated from \`libs/contracts/src/events.ts\` by \`npm run docs\`; do not edit.

Every event is a CloudEvent 1.0 in structured JSON mode on the subject \`stechuhr.events.<institution_id>.<event>\`, its \`type\` is
\`stechuhr.<event>.v1\`. \`id\` is also the \`Nats-Msg-Id\`: an event may arrive twice, and a consumer that remembers ids handles it once.
\`subject\` and \`data.id\` are the id of the record. Events carry ids, days and numbers, never names, comments or other free text.

An event is published at least once, after its change was stored, even if a process is killed or NATS is unavailable meanwhile. Those marked _at most
once_ report what stores nothing: they are lost in these cases. Events of one record are published in the order of its changes. There are two
exceptions: when a workday or a workmonth moves to another employee or month, events from before and after the move may change places, and so may
events while the number of [partitions](../docs/rules/events.md#partitions) changes. Events of different records are in no order;
\`records.import.finished\` may arrive before events of its records. \`time\` is the time of the change by the clock of the process that stored it. A
field that does not apply is missing. Only a field whose type is _or null_ can be \`null\`.

[\`asyncapi.json\`](asyncapi.json) has the ranges and formats of all fields as JSON schemas, the headers, live objects and dead letters.

A later version may add fields to \`data\`, so ignore those that you do not know. A field with \`?\` may be missing: events that an earlier
version has written lack the fields that were added since. To keep a copy of months, read the month again that an event of a workday or an
absence names, and, if the record was moved, also that of \`previous\`. A deletion names the last one ([an example](subscriber.mjs)).

| event | when | data | consumers here |
|---|---|---|---|
${events.map(row).join('\n')}

## Streams

| stream | subjects | retention | kept |
|---|---|---|---|
${Object.values(streams).map(streamRow).join('\n')}

Events are dropped earlier if there are many: by default, a stream keeps the latest ${MOST} of an institution and type, and ${GIB} GiB in all
([limits](../docs/rules/events.md#streams)). A large import may publish more. A subscriber that falls so far behind misses events without an error, and has to
read everything again, or [what has changed since](../docs/rules/api.md#keeping-a-copy).

If an installation has [partitions](../docs/rules/events.md#partitions), the events of an institution are in one of several streams: \`${streams.events.name}\`,
\`${partitionedStreams.events.stream(1)}\` and so on, all with the same subjects. The metadata of the first one has their number, as \`${STREAMS}\`; without it there is
one. A subscriber needs a consumer in each of them, and has to check from time to time whether there are more ([an example](subscriber.mjs)). If NATS has
users, the platform creates these consumers, and a subscriber gets a user that may take from them ([how](../helm/README.md#subscribers)).
`;

const formatted = await format(text, { ...(await resolveConfig(FILE)), parser: 'markdown' });
if (!process.argv.includes('--check')) writeFileSync(FILE, formatted);
else if (readFileSync(FILE, 'utf8') !== formatted) {
  console.error(`${FILE} does not match the catalogue: npm run docs`);
  process.exitCode = 1;
}
