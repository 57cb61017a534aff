import { jsonTypeName, notAList, stockFields, stockMessages } from '@stechuhr/kernel';
import { quoted, type Problems, type Report, notAChoice } from '../problems.js';
import type { SectionInput } from './section-input.js';

/** The fields of a part; missing ones are inherited from the request. */
export type PartInput = Partial<SectionInput>;

const MAX_PARTS = 20;

const title = stockFields.text();

/** Parameters that apply to the whole request. */
const OF_REQUEST = new Set(['config', 'export_format', 'is_async', 'prefix', 'response_only']);

const readers: { readonly [K in keyof SectionInput]: (value: unknown, report: Report) => SectionInput[K] } = {
  title: readTitle,
  types: readTexts,
  columns: readTexts,
  filter: readFilter,
  skip_zero_rows: readBoolean,
  daterange: readDates,
  employee_ids: readTexts,
  employee_group_ids: readTexts,
};

/**
 * Reads the parameter `config` of `multi`: a JSON array of 1 to 20 parts. Lists and `daterange` are arrays; a filter is an array, or a
 * string as in the query.
 *
 * @param read compiles a part; its problems are reported at the part's position
 */
export function readParts<T>(text: string | null, problems: Problems, read: (input: PartInput, problems: Problems) => T): readonly T[] {
  const parts = parseParts(text, problems.of('config'));
  const ofParts = problems.nested('config', parts.length);
  return parts.flatMap((part, index) => {
    const own = ofParts[index];
    return own === undefined ? [] : [read(readPart(part, own), own)];
  });
}

function parseParts(text: string | null, report: Report): readonly unknown[] {
  if (text === null) return nothing(report, stockMessages.required);
  const value = parseJson(text);
  if (value === undefined) return nothing(report, 'Value must be valid JSON.');
  if (!Array.isArray(value)) return nothing(report, notAList(value));
  if (value.length === 0) return nothing(report, 'This list may not be empty.');
  if (value.length > MAX_PARTS) return nothing(report, `Ensure this field has no more than ${String(MAX_PARTS)} elements.`);
  return value;
}

function nothing(report: Report, message: string): readonly never[] {
  report(message);
  return [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readPart(part: unknown, problems: Problems): PartInput {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) {
    problems.of('non_field_errors')(`Invalid data. Expected a dictionary, but got ${jsonTypeName(part)}.`);
    return {};
  }
  const entries = Object.entries(part).map(([name, value]) => [name, readField(name, value, problems.of(name))]);
  // Each name has a value that its own reader returned, or undefined.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as PartInput;
}

function readField(name: string, value: unknown, report: Report): SectionInput[keyof SectionInput] | undefined {
  if (!isField(name)) {
    report(OF_REQUEST.has(name) ? `${quoted(name)} holds for the whole request, not for a part.` : notAChoice(name, Object.keys(readers)));
    return undefined;
  }
  if (value !== null) return readers[name](value, report) ?? undefined;
  report(stockMessages.null);
  return undefined;
}

function isField(name: string): name is keyof SectionInput {
  return Object.hasOwn(readers, name);
}

function readTitle(value: unknown, report: Report): string | null {
  const { data = null, error } = title.safeParse(value);
  for (const { message } of error?.issues ?? []) report(message);
  return data;
}

function readBoolean(value: unknown, report: Report): boolean | null {
  if (typeof value === 'boolean') return value;
  report(stockMessages.boolean);
  return null;
}

function readTexts(value: unknown, report: Report): readonly string[] | null {
  if (!Array.isArray(value)) {
    report(notAList(value));
    return null;
  }
  if (value.length === 0) report('This list may not be empty.');
  const texts = value.filter((element) => typeof element === 'string');
  if (texts.length < value.length) report(stockMessages.text);
  if (texts.includes('')) report(stockMessages.blank);
  return texts;
}

function readDates(value: unknown, report: Report): readonly string[] | null {
  const isPair = Array.isArray(value) && value.length === 2 && value.every((side) => typeof side === 'string');
  if (isPair) return value;
  report('The range must have the form ["YYYY-MM-DD", "YYYY-MM-DD"].');
  return null;
}

function readFilter(value: unknown, report: Report): readonly string[] | null {
  if (typeof value !== 'string') return readTexts(value, report);
  const filters = value.split('|').filter((filter) => filter !== '');
  if (filters.length === 0) report(stockMessages.blank);
  return filters;
}
