import { idOf, type Firm } from '../firm.js';
import { createRandom } from '../random.js';
import type { ReportEntryRecord } from '../records.js';
import { entryRecord } from './entries.js';
import type { ReportDay } from './report-days.js';
import { weatherOf } from './weather.js';

/** The storage keys of an uploaded photo. */
export interface PhotoKeys {
  readonly image_key: string;
  readonly thumb_key: string;
}

/** A photo of a report; it has to be uploaded before its entry can be created. */
export interface Photo {
  /** Id of its entry. */
  readonly id: string;
  readonly report: ReportDay;
  /** JPEG files: the photo as a phone would send it, and its small preview. */
  readonly file: URL;
  readonly previewFile: URL;
  entry(keys: PhotoKeys): ReportEntryRecord;
}

/** Maximum age in days of reports with photos, since each photo has to be uploaded. */
const UNTIL_AGE = 4;
const TIMES = ['07:40', '10:15', '14:30'] as const;
/** Number of available views for each trade, both with blue sky and with clouds. */
const VIEWS = 3;
/** Somewhere near Regensburg. */
const PLACE = { latitude: 49.0134, longitude: 12.1016 } as const;

/** Returns the photos that the foreman took on a day. */
export function photosOf(firm: Firm, report: ReportDay): readonly Photo[] {
  if (report.age > UNTIL_AGE) return [];
  const random = createRandom(firm.seed, 'photos', report.tagId, report.day);
  const firstView = createRandom(firm.seed, 'view', report.tagId).int(0, VIEWS - 1);
  return TIMES.slice(0, random.int(2, TIMES.length)).map((time, index) => {
    const at = (base: number): number => Math.round((base + random.int(-900, 900) / 1e6) * 1e6) / 1e6;
    const place = { latitude: at(PLACE.latitude), longitude: at(PLACE.longitude) };
    const imageId = idOf(firm, `photo/${report.tagId}/${report.date}/${index}`);
    const entry = (keys: Partial<PhotoKeys>): ReportEntryRecord => {
      const values = { image_id: imageId, ...keys, ...place, taken_at: `${report.date}T${time}:00` };
      return entryRecord(firm, report, { fieldId: 'photos', time, values, name: imageId });
    };
    const { weather_condition } = weatherOf(firm, report.day, time < '09:00' ? '07:00' : '12:00');
    const view = `${report.trade}-${weather_condition === 'sunny' ? 'sunny' : 'cloudy'}-${((firstView + index) % VIEWS) + 1}`;
    return { id: entry({}).id, report, file: picture(`${view}.jpg`), previewFile: picture(`${view}-preview.jpg`), entry };
  });
}

const picture = (name: string): URL => new URL(`../../pictures/${name}`, import.meta.url);
