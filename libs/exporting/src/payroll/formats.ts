import { csv } from '../formats/csv.js';
import { csvOptions } from '../formats/csv-options.js';
import type { Format } from '../formats/format.js';
import { oneOf, optionReference, readOptions } from '../formats/options.js';
import { formats } from '../formats/registry.js';
import type { ChoiceOption } from '../grammar.js';
import { notAChoice, type Report } from '../problems.js';

const DELIMITER = ';';

const { bom, newline } = csvOptions;
const encoding = {
  ...csvOptions.encoding,
  description:
    'utf-8 oder windows-1252; wo es ein Zeichen dort nicht gibt, steht in Kost und Text ein Fragezeichen, in Nummern ist es ein Fehler. Vorgabe: utf-8.',
  example: 'export_format=csv:encoding>windows-1252',
};
const delimiter = { ...csvOptions.delimiter, description: 'Immer das Semikolon; die Angabe ändert nichts.' };
/** The options that do not change the layout of a wage file. */
const options = { encoding, bom, newline, delimiter };

/** The layout of the spec, and the one with the field names of DATEV Lohn und Gehalt (docs/payroll-b-datev.md). */
const layout = oneOf(['standard', 'datev'], 'standard', {
  title: 'Felder',
  description:
    'standard: Stunden und Tage stehen in einem Feld; datev: in zwei Feldern, Stundenanzahl und Tagesanzahl, von denen eines leer ist. Vorgabe: standard.',
  example: 'export_format=csv:layout>datev',
});

interface PayrollCsv {
  readonly header: boolean;
  /** Whether a request may choose the layout. */
  readonly layouts?: true;
}

/** Returns all formats, with csv as payroll programs read it (docs/rules/exports.md#payroll_a). */
export function payrollFormats({ header, layouts }: PayrollCsv): readonly Format[] {
  const known = layouts === true ? { ...options, layout } : options;
  const fixed: readonly ChoiceOption[] = [
    { name: 'delimiter', value: DELIMITER },
    { name: 'decimal', value: ',' },
    { name: 'formulas', value: 'raw' },
    { name: 'header', value: String(header) },
  ];
  const payrollCsv: Format = {
    ...csv,
    description: 'Wie das Lohnprogramm sie einliest: Semikolon, Dezimalkomma, Zeilenende CRLF, UTF-8 ohne Byte Order Mark.',
    example: 'export_format=csv:encoding>windows-1252',
    options: optionReference(known),
    configure: (given, report) => {
      const isLayout = ({ name }: ChoiceOption): boolean => layouts === true && name === 'layout';
      const chosen = readOptions({ layout }, given.filter(isLayout), report);
      const others = given.filter((option) => !isLayout(option));
      return { ...csv.configure([...fixed, ...allowed(others, report)], report), splitsUnits: chosen.layout === 'datev' };
    },
  };
  return formats.map((format) => (format.id === csv.id ? payrollCsv : format));
}

function allowed(given: readonly ChoiceOption[], report: Report): readonly ChoiceOption[] {
  const names = Object.keys(options);
  return given.filter(({ name, value }) => {
    if (!names.includes(name)) report(notAChoice(name, names, 'Option '));
    if (name === 'delimiter' && value !== DELIMITER) report(`Option "delimiter" needs "${DELIMITER}".`);
    return names.includes(name) && name !== 'delimiter';
  });
}
