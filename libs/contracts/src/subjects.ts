import type { EventType } from './events.js';

/** `stechuhr.events.<institution_id>.<service>.<entity>.<verb>` */
export function eventSubject(institutionId: string, type: EventType): string {
  return `stechuhr.events.${institutionId}.${type}`;
}

/** `stechuhr.ingest.<institution_id>.<kind>` */
export function ingestSubject(institutionId: string, kind: string): string {
  return `stechuhr.ingest.${institutionId}.${kind}`;
}

/** The parts of an ingest subject; `undefined` when it is none. */
export function parseIngestSubject(subject: string): { institutionId: string; kind: string } | undefined {
  const match = /^stechuhr\.ingest\.([^.]+)\.([^.]+)$/.exec(subject);
  return match?.[1] !== undefined && match[2] !== undefined ? { institutionId: match[1], kind: match[2] } : undefined;
}

/** `stechuhr.dead.<origin>` */
export function deadLetterSubject(origin: string): string {
  return `stechuhr.dead.${origin}`;
}

/**
 * Kinds of live objects that another service than `records` owns. Consumers of a work queue may not overlap, and every kind must be taken
 * by somebody, so `records` takes all of them and hands these over as jobs.
 */
export const handedOverKinds: readonly string[] = ['review_settings', 'daily_report_form', 'daily_report_entry', 'daily_report_status'];

/** `stechuhr.jobs.ingest.<institution_id>.<kind>`: a live object on its way to the service that owns its kind. */
export function handOverSubject(institutionId: string, kind: string): string {
  return `stechuhr.jobs.ingest.${institutionId}.${kind}`;
}

/** The header that names the subject on which a message was published at first; a dead letter shows it. */
export const originSubjectHeader = 'Stechuhr-Origin-Subject';

const ORIGIN_SEQUENCE_HEADER = 'Stechuhr-Origin-Sequence';

/** Headers of a live object that is handed over: where it came from. */
export function handOverHeaders(subject: string, sequence: number): Record<string, string> {
  return { [originSubjectHeader]: subject, [ORIGIN_SEQUENCE_HEADER]: String(sequence) };
}

/** What {@link handOverHeaders} say; `undefined` when they are not there. */
export function handedOver(
  header: (name: string) => string | undefined,
): { institutionId: string; kind: string; sequence: number } | undefined {
  const subject = parseIngestSubject(header(originSubjectHeader) ?? '');
  const sequence = Number(header(ORIGIN_SEQUENCE_HEADER) ?? Number.NaN);
  return subject === undefined || !Number.isSafeInteger(sequence) ? undefined : { ...subject, sequence };
}
