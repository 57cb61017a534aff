import { cutText, nearest } from '@stechuhr/kernel';
import { z } from 'zod';
import { fieldName, MAX_NAMED } from './problem.js';

/** Lists the fields of a value that a schema does not define, each as a sentence that suggests the field that was probably meant. */
export type FindUnknown = (value: unknown) => readonly string[];

type Walk = (value: unknown, path: readonly PropertyKey[], found: string[]) => void;

/**
 * Creates a function that finds unknown fields, including those of nested objects and lists. Objects with arbitrary keys (custom fields)
 * are skipped.
 *
 * @param also further known fields of the outermost object
 */
export function unknownFieldsOf(schema: z.ZodType, also: readonly string[] = []): FindUnknown {
  const walk = walkOf(schema, also);
  return (value) => {
    const found: string[] = [];
    walk?.(value, [], found);
    return found;
  };
}

function walkOf(schema: z.core.$ZodType, also: readonly string[] = []): Walk | undefined {
  if (schema instanceof z.ZodObject) return walkObject(schema, also);
  if (schema instanceof z.ZodArray) return walkList(schema);
  if (schema instanceof z.ZodPipe) return walkOf(schema.def.in, also) ?? walkOf(schema.def.out, also);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return walkOf(schema.def.innerType, also);
  return undefined;
}

function walkObject({ shape, def }: z.ZodObject, also: readonly string[]): Walk {
  // The schema of a strict object already rejects unknown fields.
  const isStrict = def.catchall instanceof z.ZodNever;
  const names = new Set([...Object.keys(shape), ...also]);
  const inner = Object.entries(shape).flatMap(([name, field]): [string, Walk][] => {
    const walk = walkOf(field);
    return walk === undefined ? [] : [[name, walk]];
  });
  return (value, path, found) => {
    if (!isObject(value)) return;
    for (const name of isStrict ? [] : Object.keys(value))
      if (!names.has(name)) found.push(describe(name, names, { value, path, hints: found.length < MAX_NAMED }));
    for (const [name, walk] of inner) walk(value[name], [...path, name], found);
  };
}

function walkList({ element }: z.ZodArray): Walk | undefined {
  const walk = walkOf(element);
  if (walk === undefined) return undefined;
  return (value, path, found) => {
    if (!Array.isArray(value)) return;
    for (const [index, one] of value.entries()) walk(one, [...path, index], found);
  };
}

interface Place {
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: readonly PropertyKey[];
  /** Whether a similar field is suggested. The search takes time, so it is limited to the problems that are shown. */
  readonly hints: boolean;
}

const MAX_SHOWN = 64;

/** Describes an unknown field. Fields that the value already has are not suggested. */
function describe(name: string, names: ReadonlySet<string>, { value, path, hints }: Place): string {
  const meant = hints
    ? nearest(
        name,
        [...names].filter((known) => !Object.hasOwn(value, known)),
      )
    : undefined;
  const field = fieldName([...path, cutText(name, MAX_SHOWN)]);
  return meant === undefined ? `${field} is unknown.` : `${field} is unknown; did you mean ${meant}?`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
