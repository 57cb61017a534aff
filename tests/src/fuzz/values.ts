import fc, { type Arbitrary } from 'fast-check';

/** A JSON schema in the OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
}

type Resolve = (ref: string) => Schema;

const DATES = fc.constantFrom('2026-10-05', '2026-02-28', '2024-02-29', '1970-01-01', '9999-12-31');

/** Values that schemas usually do not allow: wrong types, limits of ranges, and texts that are difficult for parsers. */
const strange: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1e21, 0.1, 2 ** 53, '', ' ', '|', '||', 'null', '\0', '%', '%zz', '-0', '1e9', '٣', 'NaN'),
  fc.constantFrom<unknown>('2026-02-30', '2026-10-05|', '|2026-10-05', '2026-10-31|2026-10-01', '0000-00-00', '+010000-01-01', [], {}, [
    [],
  ]),
  fc.constantFrom<unknown>(
    'a'.repeat(300),
    'ä'.repeat(5_000),
    '{"$gt":""}',
    { $gt: '' },
    '__proto__',
    { constructor: 1 },
    "';--",
    '../../etc',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Generates values that a schema mostly allows. Constraints in prose and patterns are covered only by its examples. */
function allowed(schema: Schema, resolve: Resolve): Arbitrary<unknown> {
  if (schema.$ref !== undefined) return allowed(resolve(schema.$ref), resolve);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => allowed(choice, resolve)));
  const types = [schema.type ?? 'string'].flat();
  const made = fc.oneof(...types.map((type) => ofType(type, schema, resolve)));
  return schema.examples === undefined ? made : fc.oneof(made, fc.constantFrom(...schema.examples));
}

function ofType(type: string, schema: Schema, resolve: Resolve): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 1_000, 9_999) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000, noNaN: true });
    case 'array':
      return fc.array(allowed(schema.items ?? {}, resolve), { maxLength: 3 });
    case 'object':
      return bodies(schema, resolve);
    default:
      return ofFormat(schema.format);
  }
}

function ofFormat(format: string | undefined): Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date') return DATES;
  if (format === 'date-time') return DATES.map((date) => `${date}T08:00:00`);
  return fc.oneof(DATES, fc.string({ unit: 'grapheme', maxLength: 12 }));
}

/** Generates parameters or bodies: each property is valid, omitted, or arbitrary. */
export function bodies(schema: Schema, resolve: Resolve): Arbitrary<Readonly<Record<string, unknown>>> {
  const own = schema.$ref === undefined ? schema : resolve(schema.$ref);
  const entries = Object.entries(own.properties ?? {});
  const properties = entries.map(([name, property]) => {
    const value = fc.oneof({ arbitrary: allowed(property, resolve), weight: 4 }, { arbitrary: strange, weight: 1 });
    return [name, fc.option(value, { freq: own.required?.includes(name) === true ? 10 : 2, nil: undefined })] as const;
  });
  return fc.record(Object.fromEntries(properties));
}

/** Generates a body, which is mostly an object of the schema. */
export function anyBody(schema: Schema, resolve: Resolve): Arbitrary<unknown> {
  return fc.oneof({ arbitrary: bodies(schema, resolve), weight: 9 }, { arbitrary: strange, weight: 1 });
}
