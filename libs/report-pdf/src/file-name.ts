/** The parts of the file name of a report. */
export interface FileNameParts {
  readonly projectId: string;
  readonly projectCode: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Whether the project id is added because the code alone is ambiguous. */
  readonly withId?: boolean;
}

const UNSAFE = /[^A-Za-z0-9._-]/g;
/** File systems allow names of 255 bytes. */
const MAX_CODE = 180;

/**
 * Returns `Tagesbericht-<project code>-<date>.pdf`. The code is reduced to letters, digits, dot, underscore and hyphen, so that the name
 * never needs quoting, and truncated to 180 characters. If nothing is left, the beginning of the project id is used.
 */
export function reportFileName({ projectId, projectCode, date, withId = false }: FileNameParts): string {
  const code = projectCode.replaceAll(UNSAFE, '').slice(0, MAX_CODE);
  const parts = [code === '' && !withId ? projectId.slice(0, 8) : code, withId ? projectId : ''];
  return `Tagesbericht-${parts.filter((part) => part !== '').join('-')}-${date}.pdf`;
}
