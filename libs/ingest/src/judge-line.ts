import { handedOverKinds, ingestKinds } from '@stechuhr/contracts';
import { parseUuid } from '@stechuhr/kernel';
import type { Change, Refusal } from './kinds/change.js';
import type { Content, Kind } from './kinds/kind.js';

/** A line that is acceptable by itself, or why it is not. */
export type JudgedLine<C extends Content = Content, K extends string = string> =
  { readonly change: Change<C, K> } | { readonly refusal: Refusal };

/** Validates one JSON object by itself: everything but its references. */
export type LineJudge<C extends Content = Content, K extends string = string> = (json: string) => JudgedLine<C, K>;

type Kinds = Readonly<Record<string, Kind>>;

/** The contents of the records of a table's kinds. */
type ContentOf<T extends Kinds> = T[keyof T] extends Kind<infer C> ? C : never;

interface LineJudgeOptions<T extends Kinds> {
  /** Name of the service, for the reason why a line of another one is refused. */
  readonly service: string;
  readonly kinds: T;
}

interface Envelope {
  readonly kind?: unknown;
  readonly institution_id?: unknown;
  readonly id?: unknown;
  readonly deleted?: unknown;
}

const MAX_SHOWN = 255;

/** The validator of the lines of a service, for the kinds that it owns, with the messages that all services share. */
export function createLineJudge<T extends Kinds>({ service, kinds }: LineJudgeOptions<T>): LineJudge<ContentOf<T>, keyof T & string> {
  // The type of a table, in a form that the compiler can follow.
  const table = kinds as unknown as Readonly<Record<keyof T & string, Kind<ContentOf<T>>>>;
  return (json) => {
    const line = parse(json);
    if (line === undefined) return refuse({}, 'The line is not valid JSON.');
    if (typeof line !== 'object' || line === null || Array.isArray(line)) return refuse({}, 'The line is not a JSON object.');
    return judgeObject(service, table, line);
  };
}

function judgeObject<C extends Content, K extends string>(
  service: string,
  kinds: Readonly<Record<K, Kind<C>>>,
  line: Envelope,
): JudgedLine<C, K> {
  const { kind } = line;
  if (!isKindOf(kinds, kind)) return refuse(line, kindProblem(service, kind));
  const { identity, judge } = kinds[kind];
  const institutionId = uuidOf(line.institution_id);
  if (institutionId === undefined) return refuse(line, uuidProblem('institution_id', line.institution_id));
  const id = identity === 'one' ? institutionId : uuidOf(line.id);
  if (id === undefined) return refuse(line, uuidProblem('id', line.id));
  if (identity === 'institution' && id !== institutionId) return refuse(line, 'institution_id must be the id of the institution itself.');
  if (line.deleted === true) return { change: { kind, institutionId, id, content: null } };
  if (isGiven(line.deleted) && line.deleted !== false) return refuse(line, 'deleted must be true or false.');
  const judged = judge(line);
  return 'content' in judged ? { change: { kind, institutionId, id, content: judged.content } } : refuse(line, judged.reason);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isKindOf<K extends string>(kinds: Readonly<Record<K, unknown>>, kind: unknown): kind is K {
  return typeof kind === 'string' && Object.hasOwn(kinds, kind);
}

function kindProblem(service: string, kind: unknown): string {
  if (!isGiven(kind)) return 'kind is required.';
  if (typeof kind !== 'string') return 'kind must be text.';
  const isOfContract = [...ingestKinds, ...handedOverKinds].includes(kind);
  return isOfContract ? `kind ${kind} is not taken by the ${service} service.` : `kind ${shown(kind)} is unknown.`;
}

function uuidProblem(field: string, value: unknown): string {
  return isGiven(value) ? `${field} must be a UUID.` : `${field} is required.`;
}

function refuse(line: Envelope, reason: string): { readonly refusal: Refusal } {
  return { refusal: { kind: readable(line.kind), id: readable(line.id), institutionId: uuidOf(line.institution_id), reason } };
}

/** Why a line that was acceptable by itself is refused: in its own words, as where it was not. */
export function refusalOf(json: string, reason: string): Refusal {
  return refuse(parse(json) as Envelope, reason).refusal;
}

function uuidOf(value: unknown): string | undefined {
  return typeof value === 'string' ? parseUuid(value) : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readable(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_SHOWN ? value : undefined;
}

function shown(value: string): string {
  return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
}
