import type { Organization } from './organization.js';

/** A signature: a PNG of one pixel. */
export const SIGNATURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The report and the author of an entry. */
export interface Place {
  readonly project: number;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Number of the account; null for entries of the system. */
  readonly author: number | null;
}

/** Returns the import line of an entry. @param values the fields of its type */
export function entryLine(org: Organization, n: number, { project, date, author }: Place, values: object): object {
  const at = `${date}T16:00:00`;
  return {
    kind: 'daily_report_entry',
    institution_id: org.id(0),
    id: org.id(n),
    tag_id: org.id(project),
    date,
    author_id: author === null ? null : org.id(author),
    submitted_at: author === null ? null : at,
    created_at: at,
    modified_at: at,
    ...values,
  };
}

/** Returns the import line of a comment. */
export function commentLine(org: Organization, n: number, place: Place, value: string): object {
  return entryLine(org, n, place, { field_id: 'comments', value });
}

/** Returns the import line of a status change by an account in the evening of the day. */
export function statusLine(org: Organization, n: number, { project, date, author }: Place, status: string): object {
  return {
    kind: 'daily_report_status',
    institution_id: org.id(0),
    id: org.id(n),
    tag_id: org.id(project),
    date,
    status,
    actor_id: org.id(author ?? 0),
    at: `${date}T18:00:00`,
    reason: null,
  };
}
