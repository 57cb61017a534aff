import { escapeHtml, inline } from '../html.js';
import type { Schema } from './model.js';

/** The type of a value in a few words, with a link if it has a name. */
export function typeHtml(schema: Schema): string {
  const types = [schema.type ?? []].flat();
  if (schema.$ref !== undefined) return linkTo(schema.$ref);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeHtml).join(' or ');
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum !== undefined) return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ');
  if (types.includes('array')) return `list of ${schema.items === undefined ? 'anything' : typeHtml(schema.items)}`;
  if (types.includes('object') && typeof schema.additionalProperties === 'object') {
    return `object of ${typeHtml(schema.additionalProperties)}`;
  }
  const words = schema.format === undefined ? types : [schema.format, ...types.filter((type) => type === 'null')];
  return words.length === 0 ? 'anything' : words.map(escapeHtml).join(' or ');
}

function linkTo(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return `<a href="#schema-${name}">${name}</a>`;
}

/** The fields of an object, those of nested objects after their own; none for anything else. */
export function fieldsHtml(schema: Schema): string {
  const rows = rowsOf(schema, '');
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`;
}

function rowsOf(schema: Schema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    rowHtml({ name: prefix + name, schema: field, required: schema.required?.includes(name) === true }),
    ...nestedIn(field).flatMap((inner) => rowsOf(inner, `${prefix}${name}${field.items ? '[]' : ''}.`)),
  ]);
}

function nestedIn({ properties, items, anyOf = [], ...rest }: Schema): Schema[] {
  if (properties !== undefined) return [{ properties, ...rest }];
  return [...(items === undefined ? [] : nestedIn(items)), ...anyOf.flatMap(nestedIn)];
}

interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly example?: unknown;
}

/** One field or parameter. */
export function rowHtml({ name, schema, required, description, example }: Row): string {
  const words = description ?? schema.description ?? schema.anyOf?.find((one) => one.description !== undefined)?.description;
  return `<dt><code>${escapeHtml(name)}</code>${required ? '' : ' <span>optional</span>'}</dt>
<dd>${typeHtml(schema)}${limitsOf(schema)}${words === undefined ? '' : ` – ${inline(words)}`}${exampleOf(example)}</dd>`;
}

function exampleOf(example: unknown): string {
  return example === undefined ? '' : ` <span>Example</span> <code>${escapeHtml(String(example))}</code>`;
}

function limitsOf({ minimum, maximum, maxLength, default: fallback }: Schema): string {
  const limits = [
    minimum === undefined ? '' : `from ${String(minimum)}`,
    maximum === undefined ? '' : `to ${String(maximum)}`,
    maxLength === undefined ? '' : `up to ${String(maxLength)} characters`,
    fallback === undefined ? '' : `default <code>${escapeHtml(JSON.stringify(fallback))}</code>`,
  ].filter(Boolean);
  return limits.length === 0 ? '' : ` (${limits.join(', ')})`;
}
