import { quoted, type Report } from '../problems.js';
import type { SectionRequest } from './export-request.js';

/** Field of the rows of a json file that contains the title of their section (docs/rules/exports.md#multi). */
const HEADER = 'section';

/** Adds a first column with the title of the section. */
export function withTitleColumn(section: SectionRequest, report: Report): SectionRequest {
  const title = section.title ?? '';
  const isTaken = section.columns.some(({ header }) => header === HEADER);
  if (isTaken) report(`The header ${quoted(HEADER)} is taken by the title of the part.`);
  const read = (): string => title;
  const stage = { kind: 'text', read, printedNumber: false } as const;
  const column = { header: HEADER, title: HEADER, stage, numeric: false, fromNumber: false, isAmount: false, constant: true, cell: read };
  return { ...section, columns: [column, ...section.columns] };
}
