import { z } from 'zod';
import { REQUIRED } from './fields/reader.js';
import type { Kind } from './kind.js';

/** A JSON Schema (2020-12) as an object. */
export type RecordSchema = Readonly<Record<string, unknown>>;

const UUID = { type: 'string', format: 'uuid' };
/** Matches a deletion, whose other fields are ignored. */
const DELETION = { properties: { deleted: { const: true } }, required: ['deleted'] };

type SchemaSource = Pick<Kind, 'name' | 'identity' | 'isAppendOnly' | 'schema'>;

/**
 * Generates the JSON Schema of a kind's lines from its validator. The schema does not cover contradictions between fields, nor what depends
 * on a form: only the import checks these. Unknown fields are allowed, because an import only warns about them.
 */
export function recordSchema({ name, identity, isAppendOnly = false, schema }: SchemaSource): RecordSchema {
  const { $schema, properties, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override });
  return {
    $schema,
    title: name,
    type: 'object',
    properties: {
      kind: { const: name },
      institution_id: { ...UUID, description: 'The institution that it belongs to.' },
      ...(identity === 'one' ? {} : { id: { ...UUID, description: isAppendOnly ? ID.appended : ID[identity ?? 'own'] } }),
      deleted: { type: ['boolean', 'null'], description: 'True removes the record; its other fields are not needed then.' },
      ...properties,
    },
    required: ['kind', 'institution_id', ...(identity === 'one' ? [] : ['id'])],
    ...(required.length > 0 && { if: DELETION, then: {}, else: { required } }),
  };
}

const ID = {
  own: 'Of the record; the same id again is an update.',
  appended: 'Of the record, which never changes: the same id again has no effect if all is equal, and is rejected otherwise.',
  institution: 'The same as institution_id.',
};

/** Uses the JSON Schema that custom readers declare, since zod cannot derive it. */
const override: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  delete jsonSchema[REQUIRED];
  // The name of a format is clearer than the regular expression that defines it.
  if (jsonSchema.format === 'date' || jsonSchema.format === 'uuid' || jsonSchema.format === 'guid') delete jsonSchema.pattern;
  // For a preprocessed field, the declared schema of the input counts, not that of the result.
  if (jsonSchema.anyOf !== undefined && jsonSchema.type !== undefined) {
    delete jsonSchema.type;
    delete jsonSchema.pattern;
  }
  if (!(zodSchema instanceof z.ZodObject)) return;
  const required = Object.entries(zodSchema.shape).flatMap(([name, field]) =>
    isRequired(field, jsonSchema.required ?? [], name) ? [name] : [],
  );
  if (required.length > 0) jsonSchema.required = required;
};

function isRequired(field: z.core.$ZodType, known: readonly string[], name: string): boolean {
  if (known.includes(name) || z.globalRegistry.get(field)?.[REQUIRED] === true) return true;
  return field instanceof z.ZodPipe && isRequired(field.def.in, known, name);
}
