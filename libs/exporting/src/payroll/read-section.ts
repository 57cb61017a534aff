import { isTooLong, notAChoice, quoted, type Report } from '../problems.js';
import type { ExporterName } from '../exporters.js';
import type { SectionRequest } from '../request/export-request.js';
import type { Parameters } from '../request/parameters.js';
import { readScope, type SectionContext, type SectionInput } from '../request/section-input.js';
import type { RowType } from '../row-types/row-type.js';
import type { FixedLayout } from './fixed-layout.js';

interface FixedExporter {
  readonly exporter: ExporterName;
  readonly layout: FixedLayout;
}

/** Validates a request to an exporter with a fixed layout and compiles its only section. */
export function readFixedSection(
  { exporter, layout }: FixedExporter,
  input: SectionInput,
  context: SectionContext,
  parameters: Parameters,
): SectionRequest {
  const scope = readScope(input, context, (field) => parameters.report(field));
  const refuse = (name: 'types' | 'columns'): void => {
    if (parameters.text(name) !== null) parameters.report(name)(`The exporter "${exporter}" takes no ${name}.`);
  };
  refuse('columns');
  if (!layout.choosesCodes) refuse('types');
  const types = layout.choosesCodes ? readCodes(input.types, layout, parameters.report('types')) : layout.wageCodes;
  const { directory, format } = context;
  return {
    ...scope,
    title: null,
    isPayroll: true,
    firstRow: layout.readFirstRow(parameters.text('config'), scope.period, parameters.report('config')),
    skipZeroRows: true,
    types,
    columns: layout.columns({ directory, period: scope.period, format }),
  };
}

/** The requested wage codes, in the order of the file; all of them by default. */
function readCodes(ids: readonly string[] | null, { wageCodes }: FixedLayout, report: Report): readonly RowType[] {
  if (ids === null || isTooLong(ids, report)) return wageCodes;
  const chosen = new Set<string>();
  const known = wageCodes.map(({ id }) => id);
  for (const id of ids) {
    if (!known.includes(id)) report(notAChoice(id, known));
    else if (chosen.has(id)) report(`${quoted(id)} is repeated.`);
    chosen.add(id);
  }
  return wageCodes.filter(({ id }) => chosen.has(id));
}
