import { parseUuid } from '@stechuhr/kernel';
import type { z } from 'zod';
import { nullable, required, withDefault, type Read } from './reader.js';

const MAX_LINE = 255;
const MAX_COMMENT = 10_000;

function readText(value: unknown, limit: number): Read<string> {
  if (typeof value !== 'string') return { problem: 'must be text' };
  if (value.length > limit && [...value].length > limit) return { problem: `may not be longer than ${String(limit)} characters` };
  if (value.includes('\0')) return { problem: 'may not contain a NUL character' };
  // A lone surrogate cannot be stored as UTF-8: every repeat of the line would look like a change.
  return { value: value.toWellFormed() };
}

function readLine(value: unknown): Read<string> {
  const read = readText(value, MAX_LINE);
  return 'value' in read ? { value: read.value.trim() } : read;
}

/** A name, label or number: not blank, surrounding blanks are cut. */
export const text = required((value) => {
  const read = readLine(value);
  return 'value' in read && read.value === '' ? { problem: 'may not be blank' } : read;
});

/** As `text`, but a blank one is none. */
export const optionalText = nullable((value) => {
  const read = readLine(value);
  return 'value' in read && read.value === '' ? { value: null } : read;
});

/** A text whose absence is the empty string. */
export const textOrEmpty = withDefault('', readLine);

/** A remark or free value, kept as it was typed. */
export const comment = nullable((value) => readText(value, MAX_COMMENT));

function readUuid(value: unknown): Read<string> {
  const id = typeof value === 'string' ? parseUuid(value) : undefined;
  return id === undefined ? { problem: 'must be a UUID' } : { value: id };
}

export const uuid = required(readUuid);
export const optionalUuid = nullable(readUuid);

/** A text of a form that a function knows. */
export function matching<T extends string>(accepts: (value: string) => value is T, problem: string): z.ZodType<T> {
  return required((value) => readMatching(accepts, problem, value));
}

export function optionalMatching<T extends string>(accepts: (value: string) => value is T, problem: string): z.ZodType<T | null> {
  return nullable((value) => readMatching(accepts, problem, value));
}

function readMatching<T extends string>(accepts: (value: string) => value is T, problem: string, value: unknown): Read<T> {
  return typeof value === 'string' && accepts(value) ? { value } : { problem };
}
