import { EventLoopBreaks } from '@stechuhr/kernel';
import { departmentOf, type StaffMember } from '../directory.js';
import { partsOf } from '../formats/run-parts.js';
import { neededParts } from '../needed-parts.js';
import { Problems } from '../problems.js';
import type { SectionRequest } from '../request/export-request.js';
import { Row, type Block, type RowDetail } from '../row.js';
import { leavesOut } from '../row-types/row-type.js';
import { matching, type SettleInput } from '../settle-staff.js';
import { encodableForm, encodingProblem } from './encodable-columns.js';
import type { TextEncoding } from './text-encoding.js';
import { isOfBlock, unencodableStaff } from './unencodable-staff.js';

/** How many texts are reported; after correcting these, clients send the request again. */
const MAX_NAMED = 40;

/** Details with texts that people enter: comments, names of projects and of absence types. */
const WRITTEN: ReadonlySet<RowDetail> = new Set<RowDetail>(['comment', 'project', 'absence']);

interface RefusalInput extends SettleInput {
  /** The staff of each section of the request. */
  readonly sections: readonly (readonly StaffMember[])[];
  /** After so many milliseconds it looks at no more texts; those that it has found are named. */
  readonly lookMs: number;
}

/**
 * Looks at the texts of rows before the first byte or before a task is started: where the encoding lacks a character of one in the middle of
 * a large file, its client would see a broken download, or a task in error, and not learn why. Nothing is read for UTF-8, which lacks none, nor
 * where no column shows texts of records or texts that the encoding lacks.
 *
 * @throws AppError `invalid` naming the first texts that cannot be written
 */
export async function refuseUnencodableRows(input: RefusalInput): Promise<void> {
  const { request, sections, lookMs } = input;
  if (request.format.encoding.name === 'utf-8') return;
  const until = performance.now() + lookMs;
  const found: Found = { problems: new Map(), isOver: () => found.problems.size >= MAX_NAMED || performance.now() >= until };
  for (const [index, section] of request.sections.entries()) {
    for (const look of await looksAt(section, sections[index] ?? [], input)) if (!found.isOver()) await lookAt(look, input, found);
  }
  const problems = new Problems();
  const report = problems.of('export_format');
  for (const problem of found.problems.values()) report(problem);
  problems.throwIfAny();
}

/** Columns of a section, and the employees and row types whose texts they show. */
interface Look {
  readonly section: SectionRequest;
  readonly staff: readonly StaffMember[];
  /** Whether the texts are the same in all rows of a block. */
  readonly ofBlock: boolean;
}

/** What the looks have found. */
interface Found {
  /** Messages by column and text: a text that occurs several times is reported once, with the first employee who has it. */
  readonly problems: Map<string, string>;
  readonly isOver: () => boolean;
}

/** Returns the looks at a section: few employees have names that the encoding lacks, but any record may have such a text. */
async function looksAt(section: SectionRequest, staff: readonly StaffMember[], { request, directory }: SettleInput): Promise<Look[]> {
  const { columns, types } = section;
  const areWritten = columns.filter(({ stage, detail }) => stage.kind === 'text' && detail !== undefined && WRITTEN.has(detail));
  const ofBlock = columns.filter((column) => isOfBlock(column) && !areWritten.includes(column));
  const named = await unencodableStaff({ columns: ofBlock, types }, staff, { directory, encoding: request.format.encoding });
  const written = types.filter(({ details = [] }) => details.some((detail) => WRITTEN.has(detail)));
  const looks = [
    { section: { ...section, columns: ofBlock }, staff: named, ofBlock: true },
    { section: { ...section, columns: areWritten, types: written }, staff, ofBlock: false },
  ];
  return looks.filter((look) => look.section.columns.length > 0 && look.section.types.length > 0 && look.staff.length > 0);
}

async function lookAt(look: Look, { request, directory, read }: SettleInput, found: Found): Promise<void> {
  const { section, staff } = look;
  const breaks = new EventLoopBreaks();
  for await (const sheet of matching(section, staff, { directory, read, parts: neededParts(section) })) {
    const note = noteUnencodable(look, request.format.encoding, found);
    const department = departmentOf(sheet.staff, directory);
    for (const type of section.types) {
      const row = new Row({ staff: sheet.staff, department, type });
      const write = (emit: (filled: Row) => void) =>
        type.write(sheet, row, (filled) => {
          if (!leavesOut(section, type, filled)) emit(filled);
        });
      for (const part of partsOf(write, () => breaks.isDue)) {
        part(note);
        if (found.isOver()) return;
        if (breaks.isDue) await breaks.take();
      }
    }
  }
}

/** Consumes the rows of an employee. */
function noteUnencodable({ section, ofBlock }: Look, encoding: TextEncoding, { problems }: Found): (row: Row) => void {
  let noted: Block | undefined;
  return (row) => {
    if (ofBlock && row.block === noted) return;
    noted = row.block;
    for (const column of section.columns) {
      const text = column.cell(row);
      if (encodableForm(text, encoding) !== undefined) continue;
      const name = `${column.header}\n${text}`;
      if (!problems.has(name) && problems.size < MAX_NAMED) problems.set(name, encodingProblem(text, column, row, encoding));
    }
  };
}
