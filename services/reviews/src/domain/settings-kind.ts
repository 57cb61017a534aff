import type { Content, Kind } from '@stechuhr/ingest/kinds';
import type { Check } from './check.js';
import { checks } from './checks/index.js';
import type { CustomOptions, Option, OptionTable } from './options.js';
import type { ReviewSettings } from './settings.js';

type JudgedSettings = { readonly settings: ReviewSettings } | { readonly reason: string };

const MAX_SHOWN = 255;

export type SettingsContent = Content<ReviewSettings>;

/** The settings of an institution, of which it has one; a deletion is a return to the defaults. */
export const settingsKind: Kind<SettingsContent> & { readonly name: 'review_settings' } = {
  name: 'review_settings',
  identity: 'one',
  judge(line) {
    const judged = judgeSettings(line);
    return 'settings' in judged ? { content: { fields: judged.settings, references: [] } } : judged;
  },
};

/** Validates a line of kind `review_settings`; the first problem is the reason for its rejection. */
export function judgeSettings(line: { readonly checks?: unknown; readonly options?: unknown }): JudgedSettings {
  try {
    return { settings: { checks: readCodes(line.checks), options: readOptions(line.options) } };
  } catch (caught) {
    if (caught instanceof Problem) return { reason: caught.message };
    throw caught;
  }
}

class Problem extends Error {}

function readCodes(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw new Problem('checks must be a list of check codes.');
  const codes = value.map((code: unknown, index) => checkOf(code, `checks[${String(index)}]`).code);
  return [...new Set(codes)];
}

function readOptions(value: unknown): ReviewSettings['options'] {
  const entries = entriesOf(value, 'options').map(([code, options]): [string, CustomOptions] => {
    const check = checkOf(code, 'options');
    return [check.code, readOptionsOf(check.options, options, `options.${check.code}`)];
  });
  return Object.fromEntries(entries.filter(([, options]) => Object.keys(options).length > 0));
}

function readOptionsOf(table: OptionTable, value: unknown, field: string): CustomOptions {
  const known = new Map<string, Option<number> | Option<string>>(Object.entries(table));
  const entries = entriesOf(value, field).flatMap(([name, set]): [string, number | string][] => {
    const option = known.get(name);
    if (option === undefined) throw new Problem(`${field} names an unknown option: ${shown(name)}.`);
    if (set === null) return [];
    if (!option.accepts(set)) throw new Problem(`${field}.${name} ${option.rule}.`);
    return [[name, set]];
  });
  return Object.fromEntries(entries);
}

function entriesOf(value: unknown, field: string): readonly (readonly [string, unknown])[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw new Problem(`${field} must be an object.`);
  return Object.entries(value);
}

function checkOf(code: unknown, field: string): Check {
  const check = checks.find((candidate) => candidate.code === code);
  if (check !== undefined) return check;
  throw new Problem(`${field} names an unknown check${typeof code === 'string' ? `: ${shown(code)}` : ''}.`);
}

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
