import type { ExporterName } from '@stechuhr/exporting';
import { example } from './parameters.js';

/** The output of an exporter for the employee of the examples. */
interface ExportSample {
  readonly types: readonly string[] | null;
  readonly columns: readonly string[] | null;
  /** The output in the format `json`. */
  readonly rows: readonly object[];
  readonly csv: string;
  readonly plain: string;
}

/** The output for the demo organization in October 2026. */
export const samples: Readonly<Record<ExporterName, ExportSample>> = {
  generic: {
    types: ['work-time:hours', 'vacation:days'],
    columns: ['last-name', 'type', 'value'],
    rows: [
      { 'last-name': 'Müller', type: 'work-time:hours', value: 136.23 },
      { 'last-name': 'Müller', type: 'vacation:days', value: 5 },
    ],
    csv: 'last-name,type,value\r\nMüller,work-time:hours,136.23\r\nMüller,vacation:days,5\r\n',
    plain: 'Müller\twork-time:hours\t136.23\r\nMüller\tvacation:days\t5\r\n',
  },
  payroll_a: {
    types: ['400'],
    columns: null,
    rows: [
      {
        MDNr: '40441',
        AbrMon: 10,
        AbrJahr: 2026,
        ANNr: '10005',
        LANr: 400,
        Dat: null,
        Kost: 'Hochbau',
        KoTr: null,
        AA: null,
        Anz: 179.5,
        Betrag: null,
        Zuschlag: null,
        Text: 'Sollstunden',
      },
    ],
    csv: 'MDNr;AbrMon;AbrJahr;ANNr;LANr;Dat;Kost;KoTr;AA;Anz;Betrag;Zuschlag;Text\r\n40441;10;2026;10005;400;;Hochbau;;;179,50;;;Sollstunden\r\n',
    plain: '40441\t10\t2026\t10005\t400\t\tHochbau\t\t\t179,50\t\t\tSollstunden\r\n',
  },
  payroll_b: {
    types: null,
    columns: null,
    rows: [
      { 'accounting-number': '10005', 'wage-code': 1000, value: 136.23 },
      { 'accounting-number': '10005', 'wage-code': 8560, value: 5 },
    ],
    csv: '1001;20002;10/2026\r\n10005;1000;136,23\r\n10005;8560;5,00\r\n',
    plain: '1001\t20002\t10/2026\r\n10005\t1000\t136,23\r\n10005\t8560\t5,00\r\n',
  },
  multi: {
    types: null,
    columns: ['last-name', 'value'],
    rows: [
      { section: 'Stunden', 'last-name': 'Müller', value: 136.23 },
      { section: 'Urlaub', 'last-name': 'Müller', value: 5 },
    ],
    csv: 'Stunden\r\nlast-name,value\r\nMüller,136.23\r\n\r\nUrlaub\r\nlast-name,value\r\nMüller,5\r\n',
    plain: 'Stunden\r\nMüller\t136.23\r\n\r\nUrlaub\r\nMüller\t5\r\n',
  },
};

/** Returns the sample of an exporter in its envelope. */
export function envelopeOf(exporter: ExporterName): object {
  const { types, columns, rows } = samples[exporter];
  return {
    request: {
      is_async: false,
      skip_zero_rows: true,
      exporter,
      export_format: 'json',
      daterange: ['2026-10-01', '2026-10-31'],
      employee_ids: [example.employee],
      types,
      columns,
      response_only: false,
      prefix: null,
      filter: null,
    },
    response: rows,
  };
}
