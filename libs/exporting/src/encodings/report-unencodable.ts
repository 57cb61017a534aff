import { EventLoopBreaks } from '@stechuhr/kernel';
import type { ExportDirectory, StaffMember } from '../directory.js';
import type { Report } from '../problems.js';
import type { SectionRequest } from '../request/export-request.js';
import { Row } from '../row.js';
import type { RecordPart, RowType } from '../row-types/row-type.js';
import { encodableForm, encodingProblem } from './encodable-columns.js';
import type { TextEncoding } from './text-encoding.js';

/** Parts that also have values after an employee has left. */
const ACCOUNTS: ReadonlySet<RecordPart> = new Set(['openingBalances', 'vacation', 'vacationBefore'] as const);

interface WrittenSection {
  readonly section: SectionRequest;
  readonly encoding: TextEncoding;
  readonly directory: ExportDirectory;
  readonly staff: readonly StaffMember[];
  /** Whether all of these employees are known to have rows. */
  readonly haveRows?: boolean;
}

/**
 * Reports names, numbers and departments of employees, and labels of row types, that contain characters which the encoding lacks. An
 * employee who is not employed in the period only matters if the file contains rows for them: rows of 0, or account balances of former
 * employees. Pauses for other requests, because a large company takes long.
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
  // Numbers and dates can always be encoded, and the texts that modifiers add were checked with the request.
  const textColumns = section.columns.filter(({ constant, stage, fromNumber }) => constant || (stage.kind === 'text' && !fromNumber));
  const typesOf = writtenTypes(section);
  return (member: StaffMember): ReadonlySet<string> => {
    // A set, because rows of several types contain the same name and number.
    const problems = new Set<string>();
    const department = member.departmentId === null ? null : (directory.departments.get(member.departmentId) ?? null);
    for (const type of haveRows ? section.types : typesOf(member)) {
      // In this row, columns that depend on records are empty; those of the employee and the row type are filled.
      const row = new Row({ staff: member, department, type });
      for (const column of textColumns) {
        const text = column.cell(row);
        if (encodableForm(text, encoding) === undefined) problems.add(encodingProblem(text, column, row, encoding));
      }
    }
    return problems;
  };
}

/** Returns the row types of which an employee may have rows, by the dates of the employment. */
function writtenTypes({ types, period, skipZeroRows }: SectionRequest): (member: StaffMember) => readonly RowType[] {
  const withoutRecords = types.filter(({ keepsZero }) => !skipZeroRows || keepsZero === true);
  const afterLeaving = types.filter((type) => withoutRecords.includes(type) || isAboutAccounts(type));
  return ({ leftOn, hiredOn }) => {
    if (leftOn !== null && leftOn < period.first) return afterLeaving;
    return hiredOn <= period.last ? types : withoutRecords;
  };
}

/** Whether a type shows account balances, which remain after an employee has left. */
function isAboutAccounts({ needs }: RowType): boolean {
  return needs.some((part) => ACCOUNTS.has(part));
}
