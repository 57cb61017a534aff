import { createRandom, generateDemo, type DemoRecord, type Random } from '@stechuhr/demo-firm';
import { uuidV5 } from '@stechuhr/kernel';
import { addDays, epochDay, formatLocalDate } from '@stechuhr/worktime';
import type { BenchFirm } from './firms.js';

/** A firm with daily reports of twelve entries each, but without working times. */
export interface ReportFirm extends BenchFirm {
  /** `<project>|<date>`, in the order in which reports are listed. */
  readonly reportIds: readonly string[];
}

/** A generated firm of this size has forty sites with daily reports. */
const EMPLOYEES = 250;
const CREW = 4;
const TODAY = epochDay(2026, 1, 1);
const MASTER_DATA: ReadonlySet<string> = new Set(['institution', 'account', 'department', 'project', 'employee']);
const TIMES = ['07:00', '12:00', '17:00'];
const CONDITIONS = ['sunny', 'cloudy', 'precipitation', 'snow'];
/** Has the length of a typical drawn signature. */
const SIGNATURE = `data:image/png;base64,${'iVBORw0KGgoAAAAN'.repeat(190)}`;

/** Creates a firm with this number of daily reports: those of all sites on the last day of 2025, then on the day before, and so on. */
export function reportFirm(reports: number): ReportFirm {
  const name = `${reports} daily reports`;
  const size = { employees: EMPLOYEES, months: 1, today: TODAY, hasStarted: false };
  const { institutionId, accountId, records } = generateDemo({ seed: `bench, ${name}`, ...size });
  const masterData = [...records].filter(({ kind }) => MASTER_DATA.has(kind));
  const sites = masterData.flatMap((record) => (record.kind === 'project' && record.daily_reports_enabled ? [record.id] : [])).sort();
  const places = Array.from({ length: reports }, (_, index): ReportKey => {
    const day = addDays(TODAY, -1 - Math.floor(index / sites.length));
    return { institution_id: institutionId, tag_id: sites[index % sites.length] ?? '', date: formatLocalDate(day) };
  });
  const reportIds = places.map(({ tag_id, date }) => `${tag_id}|${date}`);
  return { name, institutionId, accountId, reportIds, records: [...masterData, ...entriesOf(places, masterData)] };
}

/** The key of a report. */
interface ReportKey {
  readonly institution_id: string;
  readonly tag_id: string;
  readonly date: string;
}

function* entriesOf(places: readonly ReportKey[], masterData: readonly DemoRecord[]): Generator<object> {
  const idsOf = (kind: DemoRecord['kind']): readonly string[] => masterData.flatMap((record) => (record.kind === kind ? [record.id] : []));
  const [accounts, employees] = [idsOf('account'), idsOf('employee')];
  for (const [index, place] of places.entries()) {
    const random = createRandom(index);
    const first = random.int(0, employees.length - CREW);
    const at = `${place.date}T16:00:00`;
    const times = { submitted_at: at, created_at: at, modified_at: at };
    for (const [n, value] of valuesOf(employees.slice(first, first + CREW), random).entries()) {
      const id = uuidV5(place.institution_id, `entry/${index}/${n}`);
      yield { kind: 'daily_report_entry', id, ...place, author_id: random.pick(accounts), ...times, ...value };
    }
  }
}

/** Returns the values of the entries of a typical report. */
function valuesOf(crew: readonly string[], { int, pick }: Random): readonly object[] {
  const tracked = { author_id: null };
  return [
    ...TIMES.map((time) => ({ field_id: 'weather', time, temperature: int(0, 29), weather_condition: pick(CONDITIONS) })),
    ...crew.map((id) => ({ field_id: 'employee-working-times', ...tracked, on_behalf_of_id: id, hours: 4 + int(0, 19) / 4 })),
    { field_id: 'activities', ...tracked, on_behalf_of_id: crew[0], text: `Mauerwerk, Achse ${int(1, 9)}` },
    { field_id: 'subcontractors', name: 'Gerüstbau Hofbauer GmbH', employees: int(1, 5), hours: int(0, 39) },
    { field_id: 'materials', value: `Transportbeton C25/30, ${int(1, 60)} m³` },
    { field_id: 'comments', value: 'Zufahrt am Vormittag durch Anlieger zugeparkt.' },
    { field_id: 'signatures', on_behalf_of_id: crew[0], image: SIGNATURE },
  ];
}
