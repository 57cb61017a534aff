import type { Readable } from 'node:stream';

/**
 * The content of the PDF. Times are local without designator (`YYYY-MM-DDTHH:MM:SS`), dates are `YYYY-MM-DD`; texts are as users wrote
 * them.
 */
export interface Report {
  /** The name of the institution. */
  readonly organization: string;
  readonly project: ReportProject;
  readonly date: string;
  readonly status: ReportStatus;
  /** Time of rendering, which is printed because a report may change later. */
  readonly renderedAt: string;
  /** The fields of the form that is active on the date, in its order. */
  readonly fields: readonly ReportField[];
}

/** The construction site; empty texts mean unknown. */
export interface ReportProject {
  readonly name: string;
  readonly code: string;
  readonly address: string;
  readonly client: string;
}

export type ReportStatus = 'draft' | 'submitted' | 'closed' | 'archived';

/** A field of the form with its current entries, in the order in which they are to be printed. */
export type ReportField =
  | Field<'weather', WeatherEntry>
  | Field<'employee-working-times', WorkingTimeEntry>
  | Field<'subcontractors', SubcontractorEntry>
  | Field<'activities', ActivityEntry>
  | Field<'string', TextEntry>
  | Field<'image', PhotoEntry>
  | Field<'signature', SignatureEntry>;

interface Field<Type extends string, Entry> {
  readonly type: Type;
  /** The heading. */
  readonly label: string;
  readonly entries: readonly Entry[];
}

export interface WeatherEntry {
  /** HH:MM */
  readonly time: string;
  /** Degrees Celsius. */
  readonly temperature: number | null;
  readonly condition: { readonly icon: WeatherIcon; readonly word: string } | null;
}

export type WeatherIcon = 'sunny' | 'cloudy' | 'precipitation' | 'snow';

export interface WorkingTimeEntry {
  readonly name: string;
  /** Empty when unknown. */
  readonly position: string;
  readonly hours: number;
}

export interface SubcontractorEntry {
  readonly name: string;
  readonly employees: number;
  readonly hours: number | null;
  readonly comment: string | null;
}

export interface ActivityEntry {
  readonly text: string;
  /** The person who did it; equal texts are printed once with all their persons. */
  readonly person: string | null;
}

export interface TextEntry {
  readonly value: string;
  readonly author: string | null;
  readonly at: string | null;
}

export interface PhotoEntry {
  /** Sources of the photo, best first; if one cannot be shown, the next one is tried. Empty if nothing was uploaded. */
  readonly sources: readonly PhotoSource[];
  readonly takenAt: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly author: string | null;
}

export interface PhotoSource {
  /** Equal keys identify the same photo, which is then read only once per file. Photos without a key are all different. */
  readonly key?: string;
  /**
   * Starts reading; called only when the photo is needed.
   *
   * @throws AppError `not_found` if it does not exist
   */
  open(signal: AbortSignal): Promise<Readable>;
}

export interface SignatureEntry {
  /** `data:image/png;base64,…` or `data:image/jpeg;base64,…` */
  readonly image: string;
  readonly name: string | null;
  /** For whom or in which role it was signed, as users wrote it: `Bauleitung`, `Auftraggeber`. */
  readonly role: string | null;
  readonly at: string | null;
}
