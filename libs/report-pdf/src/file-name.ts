/** What names the file of a report. */
export interface FileNameParts {
  readonly projectId: string;
  readonly projectCode: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Where the code alone does not tell it from another file. */
  readonly withId?: boolean;
}

const UNSAFE = /[^A-Za-z0-9._-]/g;
/** File systems take names of 255 bytes. */
const MAX_CODE = 180;

/**
 * `Tagesbericht-<project code>-<date>.pdf`. The code is reduced to letters, digits, dot, underscore and hyphen, so that the name needs no
 * quoting anywhere, and to 180 of them; the start of the project's id stands in where nothing is left.
 */
export function reportFileName({ projectId, projectCode, date, withId = false }: FileNameParts): string {
  const code = projectCode.replaceAll(UNSAFE, '').slice(0, MAX_CODE);
  const parts = [code === '' && !withId ? projectId.slice(0, 8) : code, withId ? projectId : ''];
  return `Tagesbericht-${parts.filter((part) => part !== '').join('-')}-${date}.pdf`;
}
