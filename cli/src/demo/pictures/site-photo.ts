import { formatLocalDate, type EpochDay } from '@stechuhr/worktime';
import { createRandom } from '../random.js';
import type { Condition } from '../reports/weather.js';
import { buildingSite } from './building-site.js';
import { civilSite } from './civil-site.js';
import { backdrop, fallOut, HEIGHT, WIDTH } from './scene.js';
import { stamp } from './stamp.js';
import { element } from './svg.js';

/** What was in front of the camera. */
export interface SitePhoto {
  readonly seed: string;
  /** The same site looks the same from the same place. */
  readonly site: string;
  readonly trade: 'building' | 'civil';
  readonly day: EpochDay;
  /** `HH:MM` */
  readonly time: string;
  readonly condition: Condition;
  /** Which photo of the day. */
  readonly index: number;
}

/** A picture of a building site as SVG, with the date that the camera printed into it. */
export function sitePhoto({ seed, site, trade, day, time, condition, index }: SitePhoto): string {
  const place = createRandom(seed, 'photo', site, index);
  const moment = createRandom(seed, 'photo', site, day, index);
  const subject = trade === 'building' ? buildingSite(place.int(2, 4), place) : civilSite(place.int(30, 100) / 100, place);
  const scene = backdrop(condition, moment) + subject + fallOut(condition, moment);
  const [year, month, date] = formatLocalDate(day).split('-');
  const printed = stamp(`${date ?? ''}.${month ?? ''}.${year ?? ''} ${time}`, WIDTH - 24, HEIGHT - 52);
  const viewed = element('g', { transform: view(moment.int(100, 128) / 100, moment.int(0, 100) / 100) }, scene);
  const size = { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}` };
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, viewed + printed);
}

/** Closer, and a little to the side; never past the edge of the scene. */
function view(scale: number, side: number): string {
  return `translate(${(-(scale - 1) * WIDTH * side).toFixed(1)} ${(-(scale - 1) * HEIGHT * 0.7).toFixed(1)}) scale(${scale})`;
}
