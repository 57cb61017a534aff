import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { events as catalogue } from '@stechuhr/contracts';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

const FILE = join(import.meta.dirname, '../../../docs/asyncapi.json');

interface AsyncApiDocument {
  readonly components: { readonly messages: Readonly<Record<string, { readonly name: string }>> };
}

/** The result of comparing published events with docs/asyncapi.json. */
export interface JudgedEvents {
  /** Distinct event types without `stechuhr.` and version. */
  readonly types: readonly string[];
  /** Reasons why events do not match the document. */
  readonly problems: readonly string[];
}

/**
 * Validates events against the message schemas of their types, and their data against the catalogue, which rejects unknown fields.
 * @param ndjson output of `stechuhr events replay`
 */
export function judgeEvents(ndjson: string): JudgedEvents {
  const { document, ajv } = openDocument();
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

/** Validates the headers of events against the document. @returns what is wrong with them */
export function judgeHeaders(all: readonly Readonly<Record<string, string>>[]): readonly string[] {
  const { ajv } = openDocument();
  const validate = ajv.getSchema('asyncapi#/components/schemas/EventHeaders');
  if (validate === undefined) return ['The headers are not described.'];
  return all.flatMap((headers) => (validate(headers) ? [] : [ajv.errorsText(validate.errors)]));
}

function openDocument() {
  const document = JSON.parse(readFileSync(FILE, 'utf8')) as AsyncApiDocument;
  const ajv = formats.default(new Ajv({ strict: false, allErrors: true }));
  ajv.addSchema(document, 'asyncapi');
  return { document, ajv };
}
