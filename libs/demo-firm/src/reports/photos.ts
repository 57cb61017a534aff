import { idOf, type Firm } from '../firm.js';
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

/** A photo of a report: it has to be uploaded before there can be an entry of it. */
export interface Photo {
  /** Of its entry. */
  readonly id: string;
  readonly report: ReportDay;
  /** Files of JPEGs: the photo as a phone would send it, and its small preview. */
  readonly file: URL;
  readonly previewFile: URL;
  entry(keys: PhotoKeys): ReportEntryRecord;
}

/** Each has to be uploaded: only the latest reports have some. */
const UNTIL_AGE = 4;
const TIMES = ['07:40', '10:15', '14:30'] as const;
/** As many views are there of the sites of each trade, under a blue sky and under clouds. */
const VIEWS = 3;
/** Somewhere near Regensburg. */
const PLACE = { latitude: 49.0134, longitude: 12.1016 } as const;

/** The photos that the foreman took on a day. */
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
