import { idOf, type Firm } from '../firm.js';
import type { ReportFormRecord } from '../records.js';

const TRACKED = { autofill_from_tracking: true };

const fields: ReportFormRecord['fields'] = [
  { id: 'weather', type: 'weather', label: 'Witterung', config: { times: ['0700', '1200', '1700'], autofill_from_api: false } },
  { id: 'employee-working-times', type: 'employee-working-times', label: 'Mitarbeitende', config: TRACKED },
  { id: 'subcontractors', type: 'subcontractors', label: 'Nachunternehmen' },
  { id: 'activities', type: 'activities', label: 'Tätigkeiten', config: TRACKED },
  { id: 'materials', type: 'string', label: 'Material- / Geräteeinsatz' },
  { id: 'comments', type: 'string', label: 'Bemerkungen / Behinderungen' },
  { id: 'photos', type: 'image', label: 'Fotos' },
  { id: 'signatures', type: 'signature', label: 'Unterschriften' },
];

const deliveries = { id: 'deliveries', type: 'string', label: 'Lieferungen' };
const BEFORE_COMMENTS = 5;

/** Returns the forms of the company: the usual form, and one that also includes deliveries, used since the middle of 2025. */
export function formRecords(firm: Firm): readonly ReportFormRecord[] {
  const form = (valid_from: string, list: ReportFormRecord['fields']): ReportFormRecord => ({
    kind: 'daily_report_form',
    institution_id: firm.institutionId,
    id: idOf(firm, `report-form/${valid_from}`),
    valid_from,
    fields: list,
  });
  return [form('2023-01-01', fields), form('2025-07-01', fields.toSpliced(BEFORE_COMMENTS, 0, deliveries))];
}
