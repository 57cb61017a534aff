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
