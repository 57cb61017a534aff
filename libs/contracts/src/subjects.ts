import type { EventType } from './events.js';

/** `stechuhr.events.<institution_id>.<service>.<entity>.<verb>` */
export function eventSubject(institutionId: string, type: EventType): string {
  return `stechuhr.events.${institutionId}.${type}`;
}

/** `stechuhr.ingest.<institution_id>.<kind>` */
export function ingestSubject(institutionId: string, kind: string): string {
  return `stechuhr.ingest.${institutionId}.${kind}`;
}

/** The parts of an ingest subject; `undefined` when it is not one. */
export function parseIngestSubject(subject: string): { institutionId: string; kind: string } | undefined {
  const match = /^stechuhr\.ingest\.([^.]+)\.([^.]+)$/.exec(subject);
  return match?.[1] !== undefined && match[2] !== undefined ? { institutionId: match[1], kind: match[2] } : undefined;
}

/** The institution that a subject is about; `undefined` for one that names none. */
export function institutionOfSubject(subject: string): string | undefined {
  return /^stechuhr\.(?:ingest|events|jobs\.ingest)\.([^.]+)\./.exec(subject)?.[1];
}

/** `stechuhr.dead.<origin>` */
export function deadLetterSubject(origin: string): string {
  return `stechuhr.dead.${origin}`;
}

/**
 * Kinds of live objects that another service than `records` owns. Consumers of a work queue may not overlap, and every kind must be taken
 * by a consumer, so `records` takes all of them and hands these over as jobs.
 */
export const handedOverKinds: readonly string[] = ['review_settings', 'daily_report_form', 'daily_report_entry', 'daily_report_status'];

/** `stechuhr.jobs.ingest.<institution_id>.<kind>`: a live object on its way to the service that owns its kind. */
export function handOverSubject(institutionId: string, kind: string): string {
  return `stechuhr.jobs.ingest.${institutionId}.${kind}`;
}

/**
 * The subject on which a message was published at first: of a hand-over that of the live object, else its own. It follows from the subject
 * alone, which the server's permissions guard; what a sender's headers claim does not count.
 */
export function originOf(subject: string): string {
  const object = parseHandOverSubject(subject);
  return object === undefined ? subject : ingestSubject(object.institutionId, object.kind);
}

function parseHandOverSubject(subject: string): { institutionId: string; kind: string } | undefined {
  const match = /^stechuhr\.jobs\.ingest\.([^.]+)\.([^.]+)$/.exec(subject);
  return match?.[1] !== undefined && match[2] !== undefined ? { institutionId: match[1], kind: match[2] } : undefined;
}

const ORIGIN_SEQUENCE_HEADER = 'Stechuhr-Origin-Sequence';

/**
 * Headers of a live object that is handed over: its place in the stream of live objects, and the origin subject for consumers of version
 * 0.1, which take the institution and the kind from there.
 */
export function handOverHeaders(subject: string, sequence: number): Record<string, string> {
  return { 'Stechuhr-Origin-Subject': subject, [ORIGIN_SEQUENCE_HEADER]: String(sequence) };
}

/** The institution and kind of a {@link handOverSubject}; `undefined` for any other subject. */
export function handedOver(
  subject: string,
  header: (name: string) => string | undefined,
): { institutionId: string; kind: string; sequence: number } | undefined {
  const object = parseHandOverSubject(subject);
  const sequence = Number(header(ORIGIN_SEQUENCE_HEADER) ?? Number.NaN);
  return object === undefined || !Number.isSafeInteger(sequence) ? undefined : { ...object, sequence };
}
