import { parseUuid } from '@stechuhr/kernel';
import { kindNames, type Content, type KindName } from './kind.js';
import { kinds } from './kinds/index.js';

/** What a line asks for: a record to be there with this content, or (`content` null) to be gone. */
export interface Change {
  readonly kind: KindName;
  readonly institutionId: string;
  readonly id: string;
  readonly content: Content | null;
  /** Position in the stream of live objects; an import has none. */
  readonly sequence?: number;
}

/** Why a line is not accepted, with as much of its identity as could be read. */
export interface Refusal {
  readonly kind: string | undefined;
  readonly id: string | undefined;
  readonly institutionId: string | undefined;
  readonly reason: string;
}

export type JudgedLine = { readonly change: Change } | { readonly refusal: Refusal };

/** Kinds of the data contract that other services own (design.md §6); live ones of those that exist are handed over to them. */
const FOREIGN_KINDS = new Set(['review_settings', 'daily_report_form', 'daily_report_entry', 'daily_report_status']);
const MAX_SHOWN = 255;

/** Judges one JSON object by itself: everything but what it says about other records. */
export function judgeLine(json: string): JudgedLine {
  const line = parse(json);
  if (line === undefined) return refuse({}, 'The line is not valid JSON.');
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return refuse({}, 'The line is not a JSON object.');
  return judgeObject(line);
}

interface Envelope {
  readonly kind?: unknown;
  readonly institution_id?: unknown;
  readonly id?: unknown;
  readonly deleted?: unknown;
}

function judgeObject(line: Envelope): JudgedLine {
  const { kind } = line;
  if (!isKindName(kind)) return refuse(line, kindProblem(kind));
  const institutionId = typeof line.institution_id === 'string' ? parseUuid(line.institution_id) : undefined;
  if (institutionId === undefined) return refuse(line, uuidProblem('institution_id', line.institution_id));
  const id = typeof line.id === 'string' ? parseUuid(line.id) : undefined;
  if (id === undefined) return refuse(line, uuidProblem('id', line.id));
  if (kind === 'institution' && id !== institutionId) return refuse(line, 'institution_id must be the id of the institution itself.');
  if (line.deleted === true) return { change: { kind, institutionId, id, content: null } };
  if (line.deleted !== undefined && line.deleted !== null && line.deleted !== false) return refuse(line, 'deleted must be true or false.');
  const judged = kinds[kind].judge(line);
  return 'content' in judged ? { change: { kind, institutionId, id, content: judged.content } } : refuse(line, judged.reason);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isKindName(kind: unknown): kind is KindName {
  return kindNames.some((name) => name === kind);
}

function kindProblem(kind: unknown): string {
  if (kind === undefined || kind === null) return 'kind is required.';
  if (typeof kind !== 'string') return 'kind must be a text.';
  return FOREIGN_KINDS.has(kind) ? `kind ${kind} is not taken by the records service.` : `kind ${shown(kind)} is unknown.`;
}

function uuidProblem(field: string, value: unknown): string {
  return value === undefined || value === null ? `${field} is required.` : `${field} must be a UUID.`;
}

function refuse(line: Envelope, reason: string): JudgedLine {
  const institutionId = typeof line.institution_id === 'string' ? parseUuid(line.institution_id) : undefined;
  return { refusal: { kind: readable(line.kind), id: readable(line.id), institutionId, reason } };
}

function readable(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_SHOWN ? value : undefined;
}

function shown(value: string): string {
  return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
}
