import { idOf, type Firm } from '../firm.js';
import { signature } from '../pictures/signature.js';
import { sitePhoto } from '../pictures/site-photo.js';
import { createRandom } from '../random.js';
import type { ReportEntryRecord } from '../records.js';
import { entryRecord } from './entries.js';
import type { ReportDay } from './report-days.js';
import { weatherOf } from './weather.js';

/** Where an uploaded photo lies. */
export interface PhotoKeys {
  readonly image_key: string;
  readonly thumb_key: string;
}

/** A picture of a report: to be drawn, a photo also to be uploaded, before there can be an entry of it. */
export type Picture = {
  /** Of its entry. */
  readonly id: string;
  readonly report: ReportDay;
  readonly svg: () => string;
} & (
  | { readonly type: 'photo'; readonly entry: (keys: PhotoKeys) => ReportEntryRecord }
  | { readonly type: 'signature'; readonly entry: (image: string) => ReportEntryRecord }
);

/** Drawing takes a while: only the latest reports have photos, and a few more of them signatures. */
const PHOTOS_UNTIL_AGE = 4;
const SIGNATURES_UNTIL_AGE = 6;
/** When the foreman signs, and when the boss, in days. */
const SIGNED_AFTER = 2;
const COUNTERSIGNED_AFTER = 4;
const TIMES = ['07:40', '10:15', '14:30'] as const;
/** Somewhere near Regensburg. */
const PLACE = { latitude: 49.0134, longitude: 12.1016 } as const;

export function picturesOf(firm: Firm, report: ReportDay): readonly Picture[] {
  const photos = report.age <= PHOTOS_UNTIL_AGE ? photosOf(firm, report) : [];
  return report.age <= SIGNATURES_UNTIL_AGE ? [...photos, ...signaturesOf(firm, report)] : photos;
}

function photosOf(firm: Firm, report: ReportDay): readonly Picture[] {
  const random = createRandom(firm.seed, 'photos', report.tagId, report.day);
  return TIMES.slice(0, random.int(2, TIMES.length)).map((time, index) => {
    const at = (base: number): number => Math.round((base + random.int(-900, 900) / 1e6) * 1e6) / 1e6;
    const place = { latitude: at(PLACE.latitude), longitude: at(PLACE.longitude) };
    const imageId = idOf(firm, `photo/${report.tagId}/${report.date}/${index}`);
    const entry = (keys: Partial<PhotoKeys>): ReportEntryRecord => {
      const values = { image_id: imageId, ...keys, ...place, taken_at: `${report.date}T${time}:00` };
      return entryRecord(firm, report, { fieldId: 'photos', time, values, name: imageId });
    };
    const { weather_condition: condition } = weatherOf(firm, report.day, time < '09:00' ? '07:00' : '12:00');
    const subject = { seed: firm.seed, site: report.tagId, trade: report.trade, day: report.day, time, condition, index };
    return { type: 'photo', id: entry({}).id, report, svg: () => sitePhoto(subject), entry };
  });
}

function signaturesOf(firm: Firm, report: ReportDay): readonly Picture[] {
  const signers = [
    { ...report.foreman, after: SIGNED_AFTER, time: '16:55' },
    { ...report.approver, after: COUNTERSIGNED_AFTER, time: '17:20' },
  ];
  return signers.flatMap(({ accountId, employeeId, after, time }): Picture[] => {
    if (report.age < after) return [];
    const entry = (image: string): ReportEntryRecord =>
      entryRecord(firm, report, {
        ...{ fieldId: 'signatures', time, values: { image }, name: employeeId },
        ...{ authorId: accountId, onBehalfOfId: employeeId },
      });
    return [
      { type: 'signature', id: entry('').id, report, svg: () => signature(firm.seed, employeeId, `${report.tagId}|${report.date}`), entry },
    ];
  });
}
