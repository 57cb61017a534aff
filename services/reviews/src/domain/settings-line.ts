import { parseUuid } from '@stechuhr/kernel';
import { judgeSettings } from './judge-settings.js';
import type { ReviewSettings } from './settings.js';

/** What a line asks for; without settings it is a return to the defaults. */
export interface SettingsChange {
  readonly institutionId: string;
  readonly settings: ReviewSettings | undefined;
}

/** Why a line is not accepted, with as much of its identity as could be read. */
export interface Refusal {
  readonly kind: string | undefined;
  readonly institutionId: string | undefined;
  readonly reason: string;
}

export type JudgedLine = { readonly change: SettingsChange } | { readonly refusal: Refusal };

interface Envelope {
  readonly kind?: unknown;
  readonly institution_id?: unknown;
  readonly deleted?: unknown;
  readonly checks?: unknown;
  readonly options?: unknown;
}

export const SETTINGS_KIND = 'review_settings';

const MAX_SHOWN = 255;

/** Judges one JSON object by itself, in the words in which the records service judges its kinds. */
export function judgeLine(json: string): JudgedLine {
  const line = parse(json);
  if (line === undefined) return refuse({}, 'The line is not valid JSON.');
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return refuse({}, 'The line is not a JSON object.');
  return judgeObject(line);
}

function judgeObject(line: Envelope): JudgedLine {
  if (line.kind !== SETTINGS_KIND) return refuse(line, `kind must be ${SETTINGS_KIND}.`);
  const institutionId = institutionOf(line);
  if (institutionId === undefined)
    return refuse(line, `institution_id ${isGiven(line.institution_id) ? 'must be a UUID.' : 'is required.'}`);
  if (line.deleted === true) return { change: { institutionId, settings: undefined } };
  if (isGiven(line.deleted) && line.deleted !== false) return refuse(line, 'deleted must be true or false.');
  const judged = judgeSettings(line);
  return 'settings' in judged ? { change: { institutionId, settings: judged.settings } } : refuse(line, judged.reason);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function refuse(line: Envelope, reason: string): JudgedLine {
  const kind = typeof line.kind === 'string' && line.kind.length <= MAX_SHOWN ? line.kind : undefined;
  return { refusal: { kind, institutionId: institutionOf(line), reason } };
}

function institutionOf({ institution_id }: Envelope): string | undefined {
  return typeof institution_id === 'string' ? parseUuid(institution_id) : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
