/** What names the file of a report. */
export interface FileNameParts {
  readonly projectId: string;
  readonly projectCode: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

const UNSAFE = /[^A-Za-z0-9._-]/g;

/**
 * `Tagesbericht-<project code>-<date>.pdf`. The code is reduced to letters, digits, dot, underscore and hyphen, so that the name needs no
 * quoting anywhere; the start of the project's id stands in where nothing is left.
 */
export function reportFileName({ projectId, projectCode, date }: FileNameParts): string {
  const code = projectCode.replaceAll(UNSAFE, '');
  return `Tagesbericht-${code === '' ? projectId.slice(0, 8) : code}-${date}.pdf`;
}
