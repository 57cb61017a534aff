import { joinedProblems, type Content, type Kind } from '@stechuhr/ingest/kinds';
import { cutText } from '@stechuhr/kernel';
import { z } from 'zod';
import type { Check } from './check.js';
import { checks } from './checks/index.js';
import type { CustomOptions, Option } from './options.js';
import type { ReviewSettings } from './settings.js';

type JudgedSettings = { readonly settings: ReviewSettings } | { readonly reason: string };

const MAX_SHOWN = 255;

export type SettingsContent = Content<ReviewSettings>;

const schema = z.object({
  checks: z
    .array(z.enum(checks.map(({ code }) => code)))
    .nullish()
    .describe('Codes of the checks that run; null means all, an empty list none.'),
  options: z
    .strictObject(Object.fromEntries(checks.map((check) => [check.code, optionsSchema(check)])))
    .partial()
    .nullish()
    .describe('Options by code of the check; those that are left out have their defaults.'),
});

function optionsSchema({ options }: Check): z.ZodType {
  const entries = Object.entries<Option<number> | Option<string>>(options);
  return z.strictObject(Object.fromEntries(entries.map(([name, option]) => [name, option.schema.nullish()]))).nullish();
}

/** The kind of the settings of an institution, which has one such record. Deleting it restores the defaults. */
export const settingsKind: Kind<SettingsContent> & { readonly name: 'review_settings' } = {
  name: 'review_settings',
  identity: 'one',
  schema,
  judge(line) {
    const judged = judgeSettings(line);
    return 'settings' in judged ? { content: { fields: judged.settings, references: [] } } : judged;
  },
};

/** Validates a line of kind `review_settings`. */
export function judgeSettings(line: { readonly checks?: unknown; readonly options?: unknown }): JudgedSettings {
  const problems: string[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const settings = { checks: readCodes(line.checks, report), options: readOptions(line.options, report) };
  return problems.length === 0 ? { settings } : { reason: joinedProblems(problems) };
}

type Report = (problem: string) => void;

function readCodes(value: unknown, report: Report): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) {
    report('checks must be a list of check codes.');
    return null;
  }
  const codes = value.flatMap((code: unknown, index) => checkOf(code, `checks[${String(index)}]`, report)?.code ?? []);
  return [...new Set(codes)];
}

function readOptions(value: unknown, report: Report): ReviewSettings['options'] {
  const entries = entriesOf(value, 'options', report).flatMap(([code, options]): [string, CustomOptions][] => {
    const check = checkOf(code, 'options', report);
    return check === undefined ? [] : [[check.code, readOptionsOf(check, options, report)]];
  });
  return Object.fromEntries(entries.filter(([, options]) => Object.keys(options).length > 0));
}

function readOptionsOf(check: Check, value: unknown, report: Report): CustomOptions {
  const field = `options.${check.code}`;
  const known = new Map<string, Option<number> | Option<string>>(Object.entries(check.options));
  const entries = entriesOf(value, field, report).flatMap(([name, set]): [string, number | string][] => {
    const option = known.get(name);
    if (option?.accepts(set) === true) return [[name, set]];
    if (option === undefined) report(`${field} names an unknown option: ${cutText(name, MAX_SHOWN)}.`);
    else if (set !== null) report(`${field}.${name} ${option.rule}.`);
    return [];
  });
  const options = Object.fromEntries(entries);
  for (const problem of check.contradictions(options)) report(`${field}.${problem}`);
  return options;
}

function entriesOf(value: unknown, field: string, report: Report): readonly (readonly [string, unknown])[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'object' && !Array.isArray(value)) return Object.entries(value);
  report(`${field} must be an object.`);
  return [];
}

function checkOf(code: unknown, field: string, report: Report): Check | undefined {
  const check = checks.find((candidate) => candidate.code === code);
  if (check === undefined) report(`${field} names an unknown check${typeof code === 'string' ? `: ${cutText(code, MAX_SHOWN)}` : ''}.`);
  return check;
}
