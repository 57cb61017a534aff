import type { EventType } from './events.js';

/** `stechuhr.events.<institution_id>.<service>.<entity>.<verb>` */
export function eventSubject(institutionId: string, type: EventType): string {
  return `stechuhr.events.${institutionId}.${type}`;
}

/** `stechuhr.events.<institution_id>.<service>.<entity>.>`: every event of one kind of record. */
export function entitySubject(institutionId: string, service: string, entity: string): string {
  return `stechuhr.events.${institutionId}.${service}.${entity}.>`;
}

/** `stechuhr.deletions.<institution_id>.<service>.<kind>`: a record of `records` was deleted, and a service has data about it. */
export function deletionSubject(institutionId: string, service: string, kind: string): string {
  return `stechuhr.deletions.${institutionId}.${service}.${kind}`;
}

/** `stechuhr.ingest.<institution_id>.<kind>` */
export function ingestSubject(institutionId: string, kind: string): string {
  return `stechuhr.ingest.${institutionId}.${kind}`;
}

/** The parts of an ingest subject; `undefined` for other subjects. */
export function parseIngestSubject(subject: string): { institutionId: string; kind: string } | undefined {
  const match = /^stechuhr\.ingest\.([^.]+)\.([^.]+)$/.exec(subject);
  return match?.[1] !== undefined && match[2] !== undefined ? { institutionId: match[1], kind: match[2] } : undefined;
}

/** The institution in a subject; `undefined` if there is none. */
export function institutionOfSubject(subject: string): string | undefined {
  return /^stechuhr\.(?:ingest|events|deletions|jobs\.ingest)\.([^.]+)\./.exec(subject)?.[1];
}

/** What determines the subject of a dead letter. */
export interface DeadLetterPlace {
  /** Who gave up on the message: `ingest` for live objects, otherwise the service. */
  readonly origin: string;
  /** Undefined if its message has none. */
  readonly institutionId: string | undefined;
  /** The size of the stored message. */
  readonly bytes: number;
  /** An integer that is unique in the institution, such as a stream position. */
  readonly number: number;
}

const BYTES_OF_ONE_PART = 1_048_576;
const PARTS = 1_024;

/**
 * `stechuhr.dead.<origin>.<institution_id>.<part>`: the stream keeps a limited number of letters per subject, so that the letters of one institution
 * do not displace those of others. As the server counts messages instead of bytes, letters are distributed over parts, long ones over fewer parts.
 * Part `n` contains no letter larger than a mebibyte divided by `n + 1`.
 */
export function deadLetterSubject({ origin, institutionId, bytes, number }: DeadLetterPlace): string {
  const parts = Math.min(PARTS, Math.max(1, Math.floor(BYTES_OF_ONE_PART / bytes)));
  // Fibonacci hashing: consecutive numbers, or every second one, fill all parts equally.
  const share = (Math.imul(number % 2 ** 32, 0x9e3779b1) >>> 0) / 2 ** 32;
  return `stechuhr.dead.${origin}.${institutionId ?? 'none'}.${String(Math.floor(share * parts))}`;
}

/** The subjects of an origin's dead letters; the first is that of version 0.2. */
export function deadLetterSubjects(origin: string): readonly string[] {
  return [`stechuhr.dead.${origin}`, `stechuhr.dead.${origin}.>`];
}

/** The origin of a dead letter; `undefined` for other subjects. */
export function originOfDeadLetter(subject: string): string | undefined {
  return /^stechuhr\.dead\.([^.]+)/.exec(subject)?.[1];
}

/**
 * Kinds of live objects that another service than `records` owns. Consumers of a work queue must not overlap, and every kind needs a consumer, so
 * `records` consumes all of them and forwards these as jobs.
 */
export const handedOverKinds: readonly string[] = ['review_settings', 'daily_report_form', 'daily_report_entry', 'daily_report_status'];

/** `stechuhr.jobs.ingest.<institution_id>.<kind>`: a live object that is forwarded to the service that owns its kind. */
export function handOverSubject(institutionId: string, kind: string): string {
  return `stechuhr.jobs.ingest.${institutionId}.${kind}`;
}

/**
 * The subject on which a message was originally published: for a forwarded live object its original subject, otherwise its own. It is derived from
 * the subject only, which the server's permissions protect; the sender's headers are not trusted.
 */
export function originOf(subject: string): string {
  const object = parseHandOverSubject(subject);
  return object === undefined ? subject : ingestSubject(object.institutionId, object.kind);
}

function parseHandOverSubject(subject: string): { institutionId: string; kind: string } | undefined {
  const match = /^stechuhr\.jobs\.ingest\.([^.]+)\.([^.]+)$/.exec(subject);
  return match?.[1] !== undefined && match[2] !== undefined ? { institutionId: match[1], kind: match[2] } : undefined;
}

const ORIGIN_SUBJECT_HEADER = 'Stechuhr-Origin-Subject';
const ORIGIN_SEQUENCE_HEADER = 'Stechuhr-Origin-Sequence';

/** The value of a header; `undefined` when the message has none of that name. */
type Header = (name: string) => string | undefined;

/** Headers of a live object that is handed over: where it was published, and its place in the stream of live objects. */
export function handOverHeaders(subject: string, sequence: number): Record<string, string> {
  return { [ORIGIN_SUBJECT_HEADER]: subject, [ORIGIN_SEQUENCE_HEADER]: String(sequence) };
}

/**
 * The institution and kind of a {@link handOverSubject}; `undefined` for any other subject, and where the object was published on another one:
 * whoever takes messages may have the server deliver them elsewhere, with the headers that `records` gave them (docs/security.md#the-bus).
 */
export function handedOver(subject: string, header: Header): { institutionId: string; kind: string; sequence: number } | undefined {
  const object = parseHandOverSubject(subject);
  const sequence = Number(header(ORIGIN_SEQUENCE_HEADER) ?? Number.NaN);
  if (object === undefined || !Number.isSafeInteger(sequence) || header(ORIGIN_SUBJECT_HEADER) !== originOf(subject)) return undefined;
  return { ...object, sequence };
}

/** Whether a message was a live object on its way to another service: then it has no business on any other subject. */
export function wasHandedOver(header: Header): boolean {
  return header(ORIGIN_SEQUENCE_HEADER) !== undefined;
}
