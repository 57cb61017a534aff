import type { ExportDirectory, StaffMember } from '../directory.js';
import { EventLoopBreaks } from '../event-loop-breaks.js';
import type { Report } from '../problems.js';
import type { SectionRequest } from '../request/export-request.js';
import { Row } from '../row.js';
import type { RecordPart, RowType } from '../row-types/row-type.js';
import { encodableForm, encodingProblem } from './encodable-columns.js';
import type { TextEncoding } from './text-encoding.js';

/** The records that an employee still has after leaving. */
const ACCOUNTS: ReadonlySet<RecordPart> = new Set(['openingBalances', 'vacation', 'vacationBefore'] as const);

interface WrittenSection {
  readonly section: SectionRequest;
  readonly encoding: TextEncoding;
  readonly directory: ExportDirectory;
  readonly staff: readonly StaffMember[];
  /** Whether all of them are known to have rows. */
  readonly haveRows?: boolean;
}

/**
 * Reports names, numbers and departments of staff, and labels of row types, with characters that the encoding lacks. An employee who is not employed
 * in the period matters only if the file has rows for such employees: rows of 0, or accounts of employees who left. Pauses for other requests, since
 * a large institution takes long.
 */
export async function reportUnencodable(written: WrittenSection, report: Report): Promise<void> {
  if (written.encoding.name === 'utf-8') return;
  const problemsOf = encodingProblemFinder(written);
  const breaks = new EventLoopBreaks();
  for (const member of written.staff) {
    if (breaks.isDue) await breaks.take();
    for (const problem of problemsOf(member)) report(problem);
  }
}

function encodingProblemFinder({ section, encoding, directory, haveRows = false }: WrittenSection) {
  // Numbers and dates can always be encoded, and what modifiers add was validated with the request.
  const textColumns = section.columns.filter(({ constant, stage, fromNumber }) => constant || (stage.kind === 'text' && !fromNumber));
  const typesOf = writtenTypes(section);
  return (member: StaffMember): ReadonlySet<string> => {
    // A set, since rows of several types have the same name and number.
    const problems = new Set<string>();
    const department = member.departmentId === null ? null : (directory.departments.get(member.departmentId) ?? null);
    for (const type of haveRows ? section.types : typesOf(member)) {
      // In this row, columns that depend on records are empty; the employee and the label of the row type are not.
      const row = new Row({ staff: member, department, type });
      for (const column of textColumns) {
        const text = column.cell(row);
        if (encodableForm(text, encoding) === undefined) problems.add(encodingProblem(text, column, row, encoding));
      }
    }
    return problems;
  };
}

/** The row types for which an employee may have rows, by the dates of employment. */
function writtenTypes({ types, period, skipZeroRows }: SectionRequest): (member: StaffMember) => readonly RowType[] {
  const withoutRecords = types.filter(({ keepsZero }) => !skipZeroRows || keepsZero === true);
  const afterLeaving = types.filter((type) => withoutRecords.includes(type) || isAboutAccounts(type));
  return ({ leftOn, hiredOn }) => {
    if (leftOn !== null && leftOn < period.first) return afterLeaving;
    return hiredOn <= period.last ? types : withoutRecords;
  };
}

/** Whether a type is about accounts, which still exist after an employee has left. */
function isAboutAccounts({ needs }: RowType): boolean {
  return needs.some((part) => ACCOUNTS.has(part));
}
