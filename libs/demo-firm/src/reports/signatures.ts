import { readFileSync } from 'node:fs';
import type { Firm } from '../firm.js';
import type { ReportEntryRecord } from '../records.js';
import { entryRecord } from './entries.js';
import type { ReportDay } from './report-days.js';

/** Days after which the foreman and the managing director sign. */
const SIGNED_AFTER = 2;
const COUNTERSIGNED_AFTER = 4;
/** Maximum age in days: reports are archived soon afterwards, and then accept no entries. */
const UNTIL_AGE = 6;

/** Returns the signatures of a report as data URLs, as the apps send them. */
export function signatureRecords(firm: Firm, report: ReportDay): readonly ReportEntryRecord[] {
  if (report.age > UNTIL_AGE) return [];
  const signers = [
    { ...report.foreman, name: report.trade, role: 'Bauleitung', after: SIGNED_AFTER, time: '16:55' },
    { ...report.approver, name: 'owner', role: 'Geschäftsführung', after: COUNTERSIGNED_AFTER, time: '17:20' },
  ];
  return signers
    .filter(({ after }) => report.age >= after)
    .map(({ accountId, employeeId, name, role, time }) => {
      const of = { name: employeeId, authorId: accountId, onBehalfOfId: employeeId };
      return entryRecord(firm, report, { fieldId: 'signatures', time, values: { image: imageOf(name), role }, ...of });
    });
}

const images = new Map<string, string>();

function imageOf(signer: string): string {
  const known = images.get(signer);
  if (known !== undefined) return known;
  const png = readFileSync(new URL(`../../pictures/signature-${signer}.png`, import.meta.url));
  const image = `data:image/png;base64,${png.toString('base64')}`;
  images.set(signer, image);
  return image;
}
