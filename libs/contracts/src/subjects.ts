import type { EventType } from './events.js';

/** `stechuhr.events.<institution_id>.<service>.<entity>.<verb>` */
export function eventSubject(institutionId: string, type: EventType): string {
  return `stechuhr.events.${institutionId}.${type}`;
}

/** `stechuhr.events.<institution_id>.<service>.<entity>.>`: all events of one kind of record. */
export function entitySubject(institutionId: string, service: string, entity: string): string {
  return `stechuhr.events.${institutionId}.${service}.${entity}.>`;
}

/** `stechuhr.deletions.<institution_id>.<service>.<kind>`: a record of `records` was deleted, and a service has dependent data. */
export function deletionSubject(institutionId: string, service: string, kind: string): string {
  return `stechuhr.deletions.${institutionId}.${service}.${kind}`;
}

/** `stechuhr.ingest.<institution_id>.<kind>` */
export function ingestSubject(institutionId: string, kind: string): string {
  return `stechuhr.ingest.${institutionId}.${kind}`;
}

/** Parses an ingest subject; `undefined` for other subjects. */
export function parseIngestSubject(subject: string): { institutionId: string; kind: string } | undefined {
  const match = /^stechuhr\.ingest\.([^.]+)\.([^.]+)$/.exec(subject);
  return match?.[1] !== undefined && match[2] !== undefined ? { institutionId: match[1], kind: match[2] } : undefined;
}

/** Returns the institution in a subject; `undefined` if it contains none. */
export function institutionOfSubject(subject: string): string | undefined {
  return /^stechuhr\.(?:ingest|events|deletions|handovers|jobs\.ingest)\.([^.]+)\./.exec(subject)?.[1];
}

/** The properties of a dead letter that determine its subject. */
export interface DeadLetterPlace {
  /** `ingest` for live objects, otherwise the service that gave up. */
  readonly origin: string;
  /** Undefined if the message has no institution. */
  readonly institutionId: string | undefined;
  /** Size of the stored message. */
  readonly bytes: number;
  /** An integer that is unique within the institution, such as a stream sequence. */
  readonly number: number;
}

const BYTES_OF_ONE_PART = 1_048_576;
const PARTS = 1_024;

/**
 * Returns `stechuhr.dead.<origin>.<institution_id>.<part>`. The stream keeps a limited number of letters per subject, so that the letters
 * of one institution do not displace those of others. The server limits messages, not bytes; so letters are distributed over parts, large
 * ones over fewer parts. Part `n` contains only letters of at most 1 MiB / (`n` + 1).
 */
export function deadLetterSubject({ origin, institutionId, bytes, number }: DeadLetterPlace): string {
  const parts = Math.min(PARTS, Math.max(1, Math.floor(BYTES_OF_ONE_PART / bytes)));
  // Fibonacci hashing: consecutive numbers, or every second one, are distributed evenly over all parts.
  const share = (Math.imul(number % 2 ** 32, 0x9e3779b1) >>> 0) / 2 ** 32;
  return `stechuhr.dead.${origin}.${institutionId ?? 'none'}.${String(Math.floor(share * parts))}`;
}

/** Returns the subjects of the letters of an origin; the first one was used by version 0.2. */
export function deadLetterSubjects(origin: string): readonly string[] {
  return [`stechuhr.dead.${origin}`, `stechuhr.dead.${origin}.>`];
}

/** Returns the origin of a letter; `undefined` for other subjects. */
export function originOfDeadLetter(subject: string): string | undefined {
  return /^stechuhr\.dead\.([^.]+)/.exec(subject)?.[1];
}

/**
 * Kinds of live objects that services other than `records` own. Consumers of a work queue may not overlap, and every kind must be consumed;
 * so `records` consumes all kinds and hands these over.
 */
export const handedOverKinds: readonly string[] = ['review_settings', 'daily_report_form', 'daily_report_entry', 'daily_report_status'];

/** `stechuhr.handovers.<institution_id>.<kind>`: a live object that is handed over to the service that owns its kind. */
export function handOverSubject(institutionId: string, kind: string): string {
  return `stechuhr.handovers.${institutionId}.${kind}`;
}

/** `stechuhr.jobs.ingest.<institution_id>.<kind>`: the same in version 0.2, which hands objects over in the queue of jobs. */
export function handOverSubjectAmongJobs(institutionId: string, kind: string): string {
  return `stechuhr.jobs.ingest.${institutionId}.${kind}`;
}

/**
 * Returns the subject on which a message was originally published: for a handed-over live object that of the object, otherwise its own. It
 * is derived only from the subject, which is protected by the server's permissions, and not from headers, which a sender could forge.
 */
export function originOf(subject: string): string {
  const object = parseHandOverSubject(subject);
  return object === undefined ? subject : ingestSubject(object.institutionId, object.kind);
}

function parseHandOverSubject(subject: string): { institutionId: string; kind: string } | undefined {
  const match = /^stechuhr\.(?:handovers|jobs\.ingest)\.([^.]+)\.([^.]+)$/.exec(subject);
  return match?.[1] !== undefined && match[2] !== undefined ? { institutionId: match[1], kind: match[2] } : undefined;
}

const ORIGIN_SUBJECT_HEADER = 'Stechuhr-Origin-Subject';
const ORIGIN_SEQUENCE_HEADER = 'Stechuhr-Origin-Sequence';

/** Returns the value of a header; `undefined` if it is missing. */
type Header = (name: string) => string | undefined;

/** Returns the headers of a handed-over live object: its original subject, and its sequence in the stream of live objects. */
export function handOverHeaders(subject: string, sequence: number): Record<string, string> {
  return { [ORIGIN_SUBJECT_HEADER]: subject, [ORIGIN_SEQUENCE_HEADER]: String(sequence) };
}

/**
 * Returns the institution, kind and sequence of a handed-over live object. `undefined` for other subjects, and if the object was originally
 * published on a different subject: a consumer may let the server redirect messages, including the headers that `records` set
 * (docs/security.md#the-bus).
 */
export function handedOver(subject: string, header: Header): { institutionId: string; kind: string; sequence: number } | undefined {
  const object = parseHandOverSubject(subject);
  const sequence = Number(header(ORIGIN_SEQUENCE_HEADER) ?? Number.NaN);
  if (object === undefined || !Number.isSafeInteger(sequence) || header(ORIGIN_SUBJECT_HEADER) !== originOf(subject)) return undefined;
  return { ...object, sequence };
}

/** Whether a message was handed over; if so, it must not appear on any other subject. */
export function wasHandedOver(header: Header): boolean {
  return header(ORIGIN_SEQUENCE_HEADER) !== undefined;
}
