import { handedOverKinds, ingestKinds } from '@stechuhr/contracts';
import { cutText, jsonProblem, parseUuid } from '@stechuhr/kernel';
import { MAX_LINE_BYTES } from './kinds/bounds.js';
import type { Change, Refusal } from './kinds/change.js';
import { envelopeOf, type Content, type Kind } from './kinds/kind.js';
import { joinedProblems } from './kinds/problem.js';
import { unknownFieldsOf, type FindUnknown } from './kinds/unknown-fields.js';
import { repeatedFields } from './repeated-fields.js';

/** A line that is valid by itself, with problems about what it ignores of the line, or the reason why it is not valid. */
export type JudgedLine<C extends Content = Content, K extends string = string> =
  { readonly change: Change<C, K>; readonly unknown: readonly string[] } | { readonly refusal: Refusal };

/** Options for validating a line of an import. Live objects have none, because nobody reads warnings about them. */
export interface LineTerms {
  /** Whether a line of which something is ignored is rejected. */
  readonly strict?: boolean;
}

/** Validates one JSON object by itself: everything except its references. */
export type LineJudge<C extends Content = Content, K extends string = string> = (json: string, terms?: LineTerms) => JudgedLine<C, K>;

type Kinds = Readonly<Record<string, Kind>>;

/** The union of the contents of all kinds of a table. */
type ContentOf<T extends Kinds> = T[keyof T] extends Kind<infer C> ? C : never;

interface LineJudgeOptions<T extends Kinds> {
  /** Name of the service, for the message that rejects kinds of other services. */
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

/** Creates the validator for the kinds that a service owns. All services share its messages. */
export function createLineJudge<T extends Kinds>({ service, kinds }: LineJudgeOptions<T>): LineJudge<ContentOf<T>, keyof T & string> {
  // The same table with a type that the compiler can resolve for generic keys.
  const table = kinds as unknown as Readonly<Record<keyof T & string, Kind<ContentOf<T>>>>;
  const finders = new Map(Object.entries<Kind>(kinds).map(([name, kind]) => [name, unknownFieldsOf(kind.schema, envelopeOf(kind))]));
  return (json, terms) => {
    if (Buffer.byteLength(json) > MAX_LINE_BYTES) return refuse({}, `The line has more than ${String(MAX_LINE_BYTES)} bytes.`);
    const line = parse(json);
    if (line === undefined) return refuse({}, `The line ${jsonProblem(json)}.`);
    if (typeof line !== 'object' || line === null || Array.isArray(line)) return refuse({}, 'The line is not a JSON object.');
    const { kind } = line as Envelope;
    if (!isKindOf(table, kind)) return refuse(line, kindProblem(service, kind));
    const repeated = terms === undefined ? [] : repeatedFields(json, line);
    return judgeObject({ name: kind, kind: table[kind], unknownIn: finders.get(kind), repeated }, line, terms?.strict);
  };
}

interface KnownKind<C extends Content, K extends string> {
  readonly name: K;
  readonly kind: Kind<C>;
  readonly unknownIn: FindUnknown | undefined;
  /** Problems about fields that the line repeats. */
  readonly repeated: readonly string[];
}

function judgeObject<C extends Content, K extends string>(
  { name, kind, unknownIn, repeated }: KnownKind<C, K>,
  line: Envelope,
  strict = false,
): JudgedLine<C, K> {
  const institutionId = uuidOf(line.institution_id);
  const id = kind.identity === 'one' ? institutionId : uuidOf(line.id);
  const problems = identityProblems(kind, line, { institutionId, id });
  const known = (content: C | null, unknown: readonly string[] = []): JudgedLine<C, K> =>
    institutionId === undefined || id === undefined || problems.length > 0
      ? refuse(line, joinedProblems(problems))
      : { change: { kind: name, institutionId, id, content }, unknown };
  // The remaining fields of a deletion are ignored: it may repeat the deleted record.
  if (line.deleted === true) return known(null);
  const judged = kind.judge(line);
  const unknown = [...repeated, ...(unknownIn?.(line) ?? []), ...(('content' in judged ? judged.ignored : undefined) ?? [])];
  if ('content' in judged && (unknown.length === 0 || !strict)) return known(judged.content, unknown);
  return refuse(line, joinedProblems([...problems, ...('reason' in judged ? [judged.reason] : []), ...unknown]));
}

interface Ids {
  readonly institutionId: string | undefined;
  readonly id: string | undefined;
}

function identityProblems({ identity }: Pick<Kind, 'identity'>, line: Envelope, { institutionId, id }: Ids): readonly string[] {
  const problems: string[] = [];
  if (institutionId === undefined) problems.push(uuidProblem('institution_id', line.institution_id));
  if (id === undefined && identity !== 'one') problems.push(uuidProblem('id', line.id));
  if (identity === 'institution' && problems.length === 0 && id !== institutionId)
    problems.push('institution_id must be the id of the institution itself.');
  if (isGiven(line.deleted) && typeof line.deleted !== 'boolean') problems.push('deleted must be true or false.');
  return problems;
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
  return isOfContract ? `kind ${kind} is not taken by the ${service} service.` : `kind ${cutText(kind, MAX_SHOWN)} is unknown.`;
}

function uuidProblem(field: string, value: unknown): string {
  return isGiven(value) ? `${field} must be a UUID.` : `${field} is required.`;
}

function refuse(line: Envelope, reason: string): { readonly refusal: Refusal } {
  return { refusal: { kind: readable(line.kind), id: readable(line.id), institutionId: uuidOf(line.institution_id), reason } };
}

/** Creates the refusal of a line that was valid by itself, with the kind and id as the line gives them. */
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
