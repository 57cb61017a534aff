import fc from 'fast-check';
import type { OpenApiDocument } from './document-schemas.js';

/** A request to an operation. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** A JSON body. */
  readonly body?: string | undefined;
}

/** Data that the OpenAPI document does not contain: existing ids, and row types. */
export interface Known {
  readonly employees: readonly string[];
  readonly project: string;
  readonly day: string;
  readonly types: readonly string[];
  /** Paths with existing ids by operation, such as `DELETE /tokens/{id}/`, because requests for missing records are cheap. */
  readonly addresses: ReadonlyMap<string, string>;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  /** Also used for nullable fields. */
  readonly anyOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Requests of one operation, and which of them should be valid. */
export interface OperationRequests {
  readonly name: string;
  readonly valid: readonly Request[];
  readonly invalid: readonly Request[];
}

const SEED = 20_261_122;
/** Number of encoded characters for a query, which is almost the limit of a URL. */
const ROOM = 52_000;
const MEGABYTE = 1_000_000;
const COLUMNS = 200;
const PARTS = 20;
const CELLS = 10_000;

/** Returns for each operation the most expensive valid requests, and invalid requests whose rejection may be most expensive. */
export function costliestRequests(document: OpenApiDocument, known: Known): OperationRequests[] {
  const paths = document.paths as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => requestsOf(method.toUpperCase(), path, operation, known)),
  );
}

function requestsOf(method: string, path: string, { parameters = [], requestBody }: Operation, known: Known): OperationRequests {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const room = ROOM / Math.max(1, query.filter(({ schema }) => isList(schema)).length);
  const name = `${method} ${path}`;
  const full = known.addresses.get(name) ?? path.replace('{exporter}', 'generic').replace('{kind}', 'employee');
  const valid = Object.fromEntries(query.map((parameter) => [parameter.name, validText(parameter, path, { known, room })]));
  const schema = requestBody?.content['application/json']?.schema;
  const of = (texts: Readonly<Record<string, string>>, body?: string): Request => ({ method, path: full, query: texts, body });
  // Each parameter separately, and all of them together.
  const alone = query.map((parameter) => ({ ...requiredOf(query, valid), [parameter.name]: nearMisses(parameter, ROOM) }));
  const together = Object.fromEntries(query.map((parameter) => [parameter.name, nearMisses(parameter, ROOM / query.length)]));
  return {
    name,
    valid: [of(valid, schema && JSON.stringify(validBody(schema, known, method)))],
    invalid: schema === undefined ? [...alone, together].map((texts) => of(texts)) : invalidBodies(schema).map((body) => of({}, body)),
  };
}

/** Returns the required parameters, without which others would not be evaluated. */
function requiredOf(query: readonly Parameter[], valid: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    query.filter(({ name }) => ['daterange', 'config'].includes(name)).map(({ name }) => [name, valid[name] ?? '']),
  );
}

function isList({ pattern, type }: Schema): boolean {
  return pattern?.includes('{8}') === true && type === 'string';
}

interface Room {
  readonly known: Known;
  readonly room: number;
}

function validText(parameter: Parameter, path: string, { known, room }: Room): string {
  const { name, schema } = parameter;
  const ofExport = path.startsWith('/exports/') ? exportTexts[name] : undefined;
  if (ofExport !== undefined) return ofExport(known, path);
  if (isList(schema)) return [...known.employees, ...many(fc.uuid(), room / 40)].slice(0, room / 40).join('|');
  if (name === 'tag') return known.project;
  if (name === 'daterange') return '0001-01-01|9999-12-31';
  // All records have changed since then.
  if (name === 'modified_since') return '2000-01-01T00:00:00';
  if (schema.format === 'date') return name.includes('from') ? '0001-01-01' : known.day;
  return widest(parameter);
}

/** Returns an expensive value of a parameter: a number, choices, or free text. */
function widest({ name, schema, example }: Parameter): string {
  if (schema.enum !== undefined) return String(schema.enum.at(-1));
  if (schema.type === 'integer') return String(name === 'offset' ? 0 : schema.maximum);
  const words = /^\^\(?([\w|-]+)\)/.exec(schema.pattern ?? '')?.[1]?.split('|') ?? [];
  if (words.length > 0) return many(fc.constantFrom(...words), COLUMNS).join('|');
  return name === 'order' ? String(example) : one(fc.string({ minLength: 500, maxLength: 1000 }));
}

/** The most expensive values of export parameters. */
const exportTexts: Readonly<Record<string, (known: Known, path: string) => string>> = {
  // The last possible year, because code that iterates over all days since the first month with records takes longest.
  daterange: () => '9999-01-01|9999-12-31',
  export_format: () => 'csv',
  response_only: () => 'true',
  is_async: () => 'false',
  skip_zero_rows: () => 'false',
  employee_ids: ({ employees }) => employees.join('|'),
  employee_group_ids: () => '',
  filter: () => `q!=${many(fc.string({ minLength: 3, maxLength: 8 }).map(encodeURIComponent), COLUMNS).join(',')}`,
  prefix: () => Buffer.from('x'.repeat(1000)).toString('base64'),
  types: ({ types }, path) => (path.includes('payroll') ? '' : types.slice(0, COLUMNS).join('|')),
  columns: () => Array.from({ length: COLUMNS }, (_, n) => `value:round>2:as>c${String(n)}`).join('|'),
  config: ({ types }, path) => (path.includes('multi') ? costliestParts(types) : '1|2'),
};

/** Returns the maximum number of parts, each as large as the total limit allows. */
function costliestParts(types: readonly string[]): string {
  const columns = Array.from({ length: Math.floor(CELLS / PARTS / types.length) }, (_, n) => `value:as>c${String(n)}`);
  return JSON.stringify(Array.from({ length: PARTS }, (_, n) => ({ title: `Teil ${String(n)}`, columns })));
}

/** Returns misspelled words of the example up to the given length. They are close to valid values, which makes suggestions expensive. */
function nearMisses({ schema, example }: Parameter, length: number): string {
  const words = String(example ?? schema.enum?.[0] ?? 'work-time:hours').split('|');
  const changed = fc.tuple(fc.constantFrom(...words), fc.nat(), fc.constantFrom('x', 'e', '-', ':')).map(([word, at, letter]) => {
    const place = at % Math.max(1, word.length);
    return `${word.slice(0, place)}${letter}${word.slice(place + 1)}`;
  });
  const texts = many(changed, length / (encodeURIComponent(words[0] ?? '').length + 3));
  return texts.join('|');
}

/** Values of fields whose format is not in the schema. */
const fieldTexts: Readonly<Record<string, string>> = {
  amount: '99999.99',
  expires_at: '2199-12-31T23:59:59',
  missing_type: 'vacation',
  since: '2000-01-01T00:00:00',
  url: `https://hooks.example.com/${'x'.repeat(2_000)}`,
};

function validBody({ properties = {} }: Schema, { employees, project, day }: Known, method: string): Record<string, unknown> {
  // There is no earlier replay that could be continued.
  const named: Readonly<Record<string, unknown>> = { tag: project, projects: [project], after: null };
  // A changed record must not become equal to a created one.
  const someone = employees[method === 'POST' ? 0 : 1];
  const value = (name: string, { type, format, enum: choices, maximum, maxLength, items }: Schema): unknown => {
    if (choices !== undefined) return choices[0];
    if (name in named) return named[name];
    if (format === 'uuid') return someone;
    if (format === 'date') return name.endsWith('to') || name === 'expires_at' ? '9999-12-31' : day;
    if (type === 'integer') return maximum ?? 1;
    if (type === 'array') return items?.enum ?? [];
    if ([type].flat().includes('boolean')) return true;
    return fieldTexts[name] ?? 'ä'.repeat(maxLength ?? 100);
  };
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, value(name, schema.anyOf?.[0] ?? schema)]));
}

/** Returns bodies in which every field is too long, too deeply nested or has too many elements, and bodies with many unknown fields. */
function invalidBodies({ properties = {} }: Schema): string[] {
  const names = Object.keys(properties);
  const each = (json: string) => `{${names.map((name) => `"${name}":${json}`).join(',')}}`;
  const unknown = Array.from({ length: 25_000 }, (_, n) => `"${names[0] ?? ''}${String(n)}":${String(n)}`);
  return [
    each(JSON.stringify('x'.repeat(MEGABYTE / (2 * names.length)))),
    // Built as text, because a recursive serializer could not write it.
    each('['.repeat(20_000) + ']'.repeat(20_000)),
    each(JSON.stringify(Array.from({ length: 10_000 }, () => 'x'))),
    `{${unknown.join(',')}}`,
  ];
}

function many<T>(arbitrary: fc.Arbitrary<T>, count: number): T[] {
  return fc.sample(arbitrary, { numRuns: Math.max(1, Math.floor(count)), seed: SEED });
}

function one<T>(arbitrary: fc.Arbitrary<T>): T {
  const [value] = fc.sample(arbitrary, { numRuns: 1, seed: SEED });
  return value as T;
}
