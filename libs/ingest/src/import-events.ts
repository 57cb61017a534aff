import type { Change, Refusal } from './kinds/change.js';

/** One line of an import as it was read: its position and its JSON. */
export interface ImportLine {
  readonly file: string;
  readonly line: number;
  readonly json: string;
  /** Whether unknown fields are rejected; otherwise they are reported as warnings. */
  readonly strict?: boolean;
  /** The version of the record that the line is made from; 0 if there was none. */
  readonly ifVersion?: number | undefined;
}

/** Something that is valid, but probably unintended. A warning without a line concerns the data stored after the import. */
export interface ImportWarning {
  readonly line?: Pick<ImportLine, 'file' | 'line'>;
  readonly change?: Pick<Change, 'kind' | 'id'>;
  readonly message: string;
}

/** What an import reports while it runs; the summary comes last. */
export type ImportEvent =
  | { readonly kind: 'warning'; readonly warning: ImportWarning }
  | { readonly kind: 'rejected'; readonly line: ImportLine; readonly refusal: Refusal }
  | { readonly kind: 'progress'; readonly lines: number }
  | { readonly kind: 'summary'; readonly accepted: Readonly<Record<string, number>>; readonly rejected: number };
