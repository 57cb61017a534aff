import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dailyReportsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { buildProject, waitFor } from '@stechuhr/testing';
import type { Context } from '../src/context.js';
import type { WeatherValue } from '../src/domain/entry-value.js';
import { captureWeather } from '../src/operations/capture-weather.js';
import type { WeatherProvider } from '../src/operations/weather-port.js';
import { startWeatherCapture } from '../src/weather-capture.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { buildSite, dayOf, openContext, type Site } from './support/site.js';
import { hourly, munich, startWeatherServer, type WeatherServer } from './support/weather-server.js';

const DAY = '2026-03-10';
const logger = createLogger('daily-reports', 'fatal');
const { REPORT_STATUS_SUBMITTED: submitted, REPORT_STATUS_CLOSED: closed, REPORT_STATUS_ARCHIVED: archived } = dailyReportsV1.ReportStatus;

let server: WeatherServer;
let reports: RunningDailyReports;
let replicas: readonly [Context, Context];
let now = 0;
let site: Site;
const formIds: { readonly institutionId: string; readonly id: string }[] = [];

beforeAll(async () => {
  server = await startWeatherServer();
  reports = await startDailyReports({ WEATHER_URL: `${server.url}/forecast`, WEATHER_GEOCODING_URL: `${server.url}/places` });
  const overrides = { clock: { now: () => now } };
  replicas = [await openContext(reports, overrides), await openContext(reports, overrides)];
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await reports.stop();
  await server.stop();
});

beforeEach(async () => {
  setNow('12:30');
  site = await buildSite(reports, replicas[0].ports);
  await configure(site, ['0700', '1200', '1700']);
  server.asked.length = 0;
  server.answers = { '/forecast': { json: hourly(DAY, [0, 3, 61]) }, '/places': { json: munich } };
});

/** Every run processes all institutions, including those of earlier tests. */
afterEach(async () => {
  const [{ ports }] = replicas;
  for (const form of (await ports.forms.load(formIds.splice(0))).values()) {
    await ports.forms.remove(form, form, ports.events.formConfigured(form, form.id));
  }
});

/** Sets the local time of the day. */
function setNow(time: string, date = DAY): void {
  now = Date.parse(`${date}T${time}:00+01:00`);
}

async function configure({ institutionId }: Site, times: string[], autofillFromApi = true): Promise<void> {
  const [{ ports }] = replicas;
  const id = newId();
  formIds.push({ institutionId, id });
  const fields = [{ id: 'weather', type: 'weather' as const, label: 'Wetter', config: { times, autofillFromApi } }];
  const form = { id, institutionId, validFrom: dayOf('2026-01-01'), fields: [...fields, ...otherFields], sequence: undefined };
  await ports.forms.insert({ institutionId }, form, ports.events.formConfigured({ institutionId }, id));
}

const otherFields = [{ id: 'string', type: 'string' as const, label: 'Bemerkungen', config: {} }];
const remark = { type: 'string' as const, value: 'Kran da' };
const reading = (time: string): WeatherValue => ({
  ...{ type: 'weather', time, temperature: -3, weatherCondition: 'snow' },
  ...{ precipitation: null, cloudCover: null, wind: null },
});

/** Runs the capture on both replicas concurrently, as their timers do. */
async function capture(...who: readonly Context[]): Promise<void> {
  const signal = new AbortController().signal;
  const all = who.length === 0 ? replicas : who;
  await Promise.all(all.map(async ({ weather }) => weather && captureWeather({ ...weather, logger, signal })));
}

const asked = () => server.asked.map(({ path }) => path);
const weatherOf = async (date = DAY) => (await site.entries(date)).filter((line) => line.includes('weather'));

describe('the capture of weather', () => {
  it('writes the due slots as system entries, with one request for two replicas', async () => {
    await site.write(DAY, { employee: null, value: remark });
    await capture();
    expect(await weatherOf()).toEqual(['weather 07:00 17 cloudy', 'weather 12:00 22 sunny']);
    expect(asked()).toEqual(['/places', '/forecast']);
    const entries = await replicas[0].ports.entries.ofReport(site, { tagId: site.project.id, date: dayOf(DAY) }, { fieldIds: ['weather'] });
    expect(entries[0]).toMatchObject({ authorId: null, onBehalfOfId: null, submittedAt: null });
    expect(entries[0]?.value).toMatchObject({ precipitation: 0.4, cloudCover: 75, wind: [12.5, 0] });
  });

  it('sends another request only when another slot is due', async () => {
    await site.write(DAY, { employee: null, value: remark });
    await capture();
    await capture();
    expect(asked()).toHaveLength(2);
    setNow('17:01');
    await capture();
    expect(await weatherOf()).toContain('weather 17:00 27 precipitation');
    expect(asked()).toHaveLength(4);
  });

  it('keeps what a person wrote or deleted', async () => {
    await site.write(DAY, { employee: null, value: reading('07:00') });
    await site.write(DAY, { employee: null, value: reading('12:00'), burned: true });
    await capture();
    expect(await weatherOf()).toEqual(['deleted manual weather 12:00 -3 snow', 'manual weather 07:00 -3 snow']);
    expect(asked()).toEqual([]);
  });

  it('creates no reports, and does not change reports that are submitted or do not capture weather', async () => {
    await capture();
    await site.write(DAY, { employee: null, value: remark });
    await site.changeStatus(DAY, submitted);
    const other = await buildSite(reports, replicas[0].ports);
    await configure(other, ['0700'], false);
    await other.write(DAY, { employee: null, value: remark });
    const disabled = await buildSite(reports, replicas[0].ports);
    await configure(disabled, ['0700']);
    await disabled.write(DAY, { employee: null, value: remark });
    await reports.importRecords([buildProject({ ...disabled.project, daily_reports_enabled: false })]);
    await capture();
    expect(asked()).toEqual([]);
    expect(await site.countEntries('2026-03-09')).toBe(0);
  });

  it.each([
    ['handed in', [submitted]],
    ['archived', [submitted, closed, archived]],
  ])('does not change a report that is %s during the request', async (_, statuses) => {
    await site.write(DAY, { employee: null, value: remark });
    const [{ weather }] = replicas;
    if (weather === undefined) throw new Error('Weather is configured.');
    const provider: WeatherProvider = {
      locate: weather.weather.locate,
      async readDay(...day) {
        await site.changeStatus(DAY, ...statuses);
        return weather.weather.readDay(...day);
      },
    };
    await captureWeather({ ...weather, weather: provider, logger, signal: new AbortController().signal });
    const report = { tagId: site.project.id, date: dayOf(DAY) };
    expect((await weather.ports.reports.logOf(site, report)).changes).toHaveLength(statuses.length);
    expect(await weatherOf()).toEqual([]);
    // Nothing is missing in this case.
    expect(await weather.claims.claim(site, report)).toBe(true);
  });

  it('still captures the slots of yesterday', async () => {
    await site.write(DAY, { employee: null, value: remark });
    setNow('06:00', '2026-03-11');
    await capture();
    expect(await weatherOf()).toHaveLength(3);
  });

  it.each<[string, () => void]>([
    ['answers an error', () => (server.answers['/forecast'] = { status: 503 })],
    ['answers nonsense', () => (server.answers['/forecast'] = { text: 'sunny' })],
    ['does not know the place', () => (server.answers['/places'] = { json: {} })],
    ['does not know the hour yet', () => (server.answers['/forecast'] = { json: hourly('2026-03-09', [0]) })],
  ])('waits if the service %s, and continues once it works again', async (_, trouble) => {
    trouble();
    await site.write(DAY, { employee: null, value: remark });
    await capture();
    const first = asked().length;
    await capture();
    setNow('12:34');
    await capture();
    expect(asked()).toHaveLength(first);
    expect(await weatherOf()).toEqual([]);
    server.answers = { '/forecast': { json: hourly(DAY, [71]) }, '/places': { json: munich } };
    setNow('12:35');
    await capture();
    expect(await weatherOf()).toEqual(['weather 07:00 17 snow', 'weather 12:00 22 snow']);
  });

  it('takes over from a replica that crashed', async () => {
    await site.write(DAY, { employee: null, value: remark });
    expect(await replicas[0].weather?.claims.claim(site, { tagId: site.project.id, date: dayOf(DAY) })).toBe(true);
    await capture(replicas[1]);
    expect(asked()).toEqual([]);
    setNow('12:36');
    await capture(replicas[1]);
    expect(await weatherOf()).toHaveLength(2);
  });

  it('gives up on a report after six failures', async () => {
    server.answers['/places'] = { json: {} };
    await site.write(DAY, { employee: null, value: remark });
    for (const time of ['00:00', '00:06', '00:30', '01:30', '04:00', '12:00', '23:59']) {
      setNow(time, '2026-03-11');
      await capture();
    }
    expect(asked()).toHaveLength(6);
  });

  it('is shared: each institution is processed by one replica, and again only when it is due', async () => {
    const sites = [site, ...(await Promise.all(Array.from({ length: 5 }, () => buildSite(reports, replicas[0].ports))))];
    for (const another of sites.slice(1)) await configure(another, ['1300']);
    await capture();
    const looked: string[] = [];
    const look = async () => {
      const signal = new AbortController().signal;
      await Promise.all(
        replicas.map(async ({ weather }) => {
          if (weather === undefined) throw new Error('Weather is configured.');
          const projectsOf: typeof weather.projectsOf = (tenant, end) => {
            looked.push(tenant.institutionId);
            return weather.projectsOf(tenant, end);
          };
          await captureWeather({ ...weather, projectsOf, logger, signal });
        }),
      );
      return looked.splice(0).sort();
    };
    expect(await look()).toEqual([]);
    setNow('13:00');
    expect(await look()).toEqual(sites.map(({ institutionId }) => institutionId).sort());
    expect(await look()).toEqual([]);
    // A new report makes its institution due at once.
    await site.write(DAY, { employee: null, value: remark });
    expect(await look()).toEqual([site.institutionId]);
    // The lease of a crashed replica.
    setNow('13:30');
    expect((await replicas[0].weather?.agenda.take())?.institutionId).toBeDefined();
    expect(await look()).toHaveLength(5);
    setNow('13:41');
    expect(await look()).toHaveLength(1);
  });

  it('goes on with other institutions while one waits for an answer', async () => {
    const other = await buildSite(reports, replicas[0].ports);
    await configure(other, ['0700']);
    for (const each of [site, other]) await each.write(DAY, { employee: null, value: remark });
    const [{ weather }] = replicas;
    if (weather === undefined) throw new Error('Weather is configured.');
    const gate = Promise.withResolvers<void>();
    let isFirst = true;
    const provider: WeatherProvider = {
      locate: weather.weather.locate,
      async readDay(...day) {
        if (isFirst) {
          isFirst = false;
          await gate.promise;
        }
        return weather.weather.readDay(...day);
      },
    };
    const captured = captureWeather({ ...weather, weather: provider, logger, signal: new AbortController().signal });
    const written = async (): Promise<boolean[]> =>
      Promise.all([site, other].map(async (each) => (await each.entries(DAY)).some((line) => line.includes('weather'))));
    try {
      await waitFor(async () => (await written()).includes(true));
      expect((await written()).filter(Boolean)).toHaveLength(1);
    } finally {
      gate.resolve();
      await captured;
    }
    expect(await written()).toEqual([true, true]);
  });

  it('finds forms that the previous version has stored', async () => {
    await site.write(DAY, { employee: null, value: remark });
    const { MONGODB_URL: url = '', MONGODB_DATABASE: database = '' } = reports.environment;
    const stored = await connectMongo({ url, database, logger });
    await stored.connection.collection('forms').updateMany({}, { $unset: { weather_due: 1 } });
    await stored.close();
    await capture();
    expect(asked()).toEqual([]);
    await replicas[0].weather?.agenda.adopt();
    await capture();
    expect(await weatherOf()).toHaveLength(2);
  });

  it('runs periodically until it is stopped', async () => {
    await site.write(DAY, { employee: null, value: remark });
    const [{ weather }] = replicas;
    if (weather === undefined) throw new Error('Weather is configured.');
    const capturing = startWeatherCapture(weather, logger, 20);
    await waitFor(async () => (await weatherOf()).length === 2);
    server.answers['/forecast'] = 'never';
    setNow('17:01');
    await waitFor(() => asked().length === 3);
    await capturing.stop();
    // The place is known since the first request.
    expect(asked()).toEqual(['/places', '/forecast', '/forecast']);
  });
});
