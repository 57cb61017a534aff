import type { Refusal } from './kinds/change.js';

/** One line of an import as it was read: where it stands, and its JSON. */
export interface ImportLine {
  readonly file: string;
  readonly line: number;
  readonly json: string;
}

/** What an import reports while it runs; the summary comes last. */
export type ImportEvent =
  | { readonly kind: 'rejected'; readonly line: ImportLine; readonly refusal: Refusal }
  | { readonly kind: 'progress'; readonly lines: number }
  | { readonly kind: 'summary'; readonly accepted: Readonly<Record<string, number>>; readonly rejected: number };
