import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { events as catalogue } from '@stechuhr/contracts';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

const FILE = join(import.meta.dirname, '../../../docs/asyncapi.json');

interface AsyncApiDocument {
  readonly components: { readonly messages: Readonly<Record<string, { readonly name: string }>> };
}

/** What was published, held against docs/asyncapi.json. */
export interface JudgedEvents {
  /** Event types without `stechuhr.` and version, each once. */
  readonly types: readonly string[];
  /** Why an event is none that the document describes. */
  readonly problems: readonly string[];
}

/**
 * Judges events by the schema of the message that has their type, and their data by the catalogue, which takes no other fields; `ndjson` is
 * what `stechuhr events replay` prints.
 */
export function judgeEvents(ndjson: string): JudgedEvents {
  const document = JSON.parse(readFileSync(FILE, 'utf8')) as AsyncApiDocument;
  const ajv = formats.default(new Ajv({ strict: false, allErrors: true }));
  ajv.addSchema(document, 'asyncapi');
  const keys = new Map(Object.entries(document.components.messages).map(([key, { name }]) => [name, key]));
  const events = ndjson
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly type: string; readonly traceparent?: string; readonly data?: unknown });
  const problems = events.flatMap((event) => {
    const key = keys.get(event.type);
    if (key === undefined) return [`${event.type} is not described`];
    const validate = ajv.getSchema(`asyncapi#/components/messages/${key}/payload`);
    if (validate === undefined) return [`${event.type} has no schema`];
    if (event.traceparent === undefined) return [`${event.type} has no traceparent`];
    if (!validate(event)) return [`${event.type}: ${ajv.errorsText(validate.errors)}`];
    const { error } = catalogue.find(({ type }) => event.type === `stechuhr.${type}.v1`)?.data.safeParse(event.data) ?? {};
    return error === undefined ? [] : [`${event.type}: ${error.message}`];
  });
  const types = new Set(events.map(({ type }) => type.replace(/^stechuhr\./, '').replace(/\.v\d+$/, '')));
  return { types: [...types].sort(), problems };
}
