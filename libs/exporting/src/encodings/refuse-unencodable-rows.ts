import { EventLoopBreaks } from '@stechuhr/kernel';
import type { StaffMember } from '../directory.js';
import { partsOf } from '../formats/run-parts.js';
import { neededParts } from '../needed-parts.js';
import { Problems } from '../problems.js';
import type { SectionRequest } from '../request/export-request.js';
import { Row, type RowDetail } from '../row.js';
import { matching, type SettleInput } from '../settle-staff.js';
import { encodableForm, encodingProblem } from './encodable-columns.js';
import type { TextEncoding } from './text-encoding.js';

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
 * Looks at the texts of records before the first byte or before a task is started: where the encoding lacks a character of one in the middle of
 * a large file, its client would see a broken download, or a task in error, and not learn why. Nothing is read for UTF-8, which lacks none, nor
 * where no column shows such texts.
 *
 * @throws AppError `invalid` naming the first texts that cannot be written
 */
export async function refuseUnencodableRows({ request, directory, sections, read, lookMs }: RefusalInput): Promise<void> {
  if (request.format.encoding.name === 'utf-8') return;
  const unencodable = new Map<string, string>();
  const breaks = new EventLoopBreaks();
  const until = performance.now() + lookMs;
  const isOver = (): boolean => unencodable.size >= MAX_NAMED || performance.now() >= until;
  for (const [index, whole] of request.sections.entries()) {
    const section = ofWrittenTexts(whole);
    if (section.columns.length === 0 || section.types.length === 0 || isOver()) continue;
    const looked = matching(section, sections[index] ?? [], { directory, read, parts: neededParts(section) });
    for await (const sheet of looked) {
      const note = noteUnencodable(section, request.format.encoding, unencodable);
      for (const type of section.types) {
        const row = new Row({ staff: sheet.staff, department: null, type });
        for (const part of partsOf(
          (emit) => type.write(sheet, row, emit),
          () => breaks.isDue,
        )) {
          part(note);
          if (isOver()) break;
          if (breaks.isDue) await breaks.take();
        }
      }
      if (isOver()) break;
    }
  }
  const problems = new Problems();
  const report = problems.of('export_format');
  for (const problem of unencodable.values()) report(problem);
  problems.throwIfAny();
}

/** A section restricted to columns with texts that people enter. */
function ofWrittenTexts(section: SectionRequest): SectionRequest {
  return {
    ...section,
    columns: section.columns.filter(({ stage, detail }) => stage.kind === 'text' && detail !== undefined && WRITTEN.has(detail)),
    types: section.types.filter(({ details = [] }) => details.some((detail) => WRITTEN.has(detail))),
  };
}

/** Consumes rows; a text that occurs several times is reported once, with the first employee who has it. */
function noteUnencodable(
  { columns, skipZeroRows }: SectionRequest,
  encoding: TextEncoding,
  unencodable: Map<string, string>,
): (row: Row) => void {
  return (row) => {
    if (skipZeroRows && row.rounded === 0) return;
    for (const column of columns) {
      const text = column.cell(row);
      if (encodableForm(text, encoding) !== undefined) continue;
      const name = `${column.header}\n${text}`;
      if (!unencodable.has(name) && unencodable.size < MAX_NAMED) unencodable.set(name, encodingProblem(text, column, row, encoding));
    }
  };
}
