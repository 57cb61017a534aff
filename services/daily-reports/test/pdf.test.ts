import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dailyReportsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { startS3 } from '@stechuhr/local-infra';
import { connectMongo } from '@stechuhr/mongo';
import { connectObjectStore } from '@stechuhr/objectstore';
import { createGrpcClient, createLogger, readStream, RUN_STALL_MS } from '@stechuhr/service';
import { buildProject, waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { extractText, getDocumentProxy } from 'unpdf';
import { readConfig } from '../src/config.js';
import { createDailyReportsService } from '../src/service.js';
import { callerIn, openOrganization, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';

/** A PNG of one white pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==';

let s3: Awaited<ReturnType<typeof startS3>>;
let running: RunningDailyReports;
let watch: SubjectWatch;
let firm: Organization;

beforeAll(async () => {
  s3 = await startS3();
  const { endpoint, accessKey, secretKey, bucket } = s3.address;
  running = await startDailyReports({ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket });
  watch = await watchSubjects(running.servers.natsUrl, 'stechuhr.events.*.daily-reports.report.rendered');
  firm = await openOrganization(running);
});
afterAll(async () => {
  await watch.stop();
  await running.stop();
  await s3.stop();
});

async function render(reportId: string, { caller = firm.caller, judgeOnly = false } = {}) {
  const chunks: Uint8Array[] = [];
  let fileName = '';
  for await (const { part } of readStream(running.client, running.client.renderPdf, { caller, reportId, judgeOnly })) {
    if (part?.$case === 'head') fileName = `${part.value.fileName} ${part.value.mediaType}`;
    else if (part !== undefined) chunks.push(part.value);
  }
  return { fileName, bytes: Buffer.concat(chunks) };
}

async function textOf(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text;
}

describe('the PDF of a report', () => {
  it('contains the values of the entries, in the order of the form', async () => {
    const key = `uploads/${firm.institutionId}/${firm.ada}/photo.png`;
    await connectObjectStore(s3.address).putStream(key, Readable.from([Buffer.from(PNG, 'base64')]), 'image/png');
    await firm.record(
      firm.entry({ field_id: 'comments', value: 'Kran kam zu spät' }),
      firm.entry({ field_id: 'comments', value: 'Gelöscht' }),
      firm.entry({ field_id: 'comments', value: 'Gelöscht', burned: true }),
      firm.entry({ field_id: 'weather', time: '07:00', temperature: -1.5, weather_condition: 'snow' }),
      firm.entry({ field_id: 'employee-working-times', on_behalf_of_id: firm.max, hours: 7.75 }),
      firm.entry({ field_id: 'photos', image_id: 'p', image_key: key, taken_at: '2026-03-02T09:15:00' }),
      firm.entry({ field_id: 'photos', image_id: 'gone', image_key: `uploads/${firm.institutionId}/${firm.ada}/gone.png` }),
      firm.entry({ field_id: 'signatures', image: `data:image/png;base64,${PNG}`, role: 'Bauleitung', on_behalf_of_id: firm.eva }),
      firm.status('submitted'),
    );
    const { fileName, bytes } = await render(`${firm.site.toUpperCase()}|2026-03-02`);
    expect([fileName, bytes.subarray(0, 5).toString()]).toEqual(['Tagesbericht-S-1-2026-03-02.pdf application/pdf', '%PDF-']);
    const text = await textOf(bytes);
    const expected = [
      'Muster GmbH',
      '02.03.2026',
      'Eingereicht',
      'Witterung',
      'Schnee',
      'Mitarbeitende',
      'Max Maurer',
      '7,75',
      'Kran kam zu spät',
    ];
    for (const words of [...expected, 'Fotos', '09:15', 'Unterschriften', 'Eva Estrich', 'Bauleitung', 'Seite 1 von'])
      expect(text).toContain(words);
    expect(text).not.toContain('Gelöscht');
    await waitFor(() => (watch.messages.some(({ text: event }) => event.includes(`${firm.site}|2026-03-02`)) ? true : undefined));
  });

  it('names no other person under a signature whose person was deleted', async () => {
    const other = await openOrganization(running);
    const image = `data:image/png;base64,${PNG}`;
    await other.record(
      other.entry({ field_id: 'signatures', image, on_behalf_of_id: other.eva, author_id: other.ben, role: 'Auftraggeber' }),
      other.entry({ field_id: 'signatures', image, author_id: other.ada }),
    );
    await running.importRecords([{ kind: 'employee', institution_id: other.institutionId, id: other.eva, deleted: true }]);
    const { bytes } = await render(`${other.site}|2026-03-02`, { caller: other.caller });
    const text = await textOf(bytes);
    for (const words of ['Auftraggeber', 'Ada Muster']) expect(text).toContain(words);
    expect(text).not.toContain('Ben Bauer');
  });

  it('is an empty form if nothing was recorded', async () => {
    const { bytes } = await render(`${firm.site}|2026-05-01`);
    const text = await textOf(bytes);
    for (const words of ['Entwurf', '01.05.2026', 'Nachunternehmen', 'Bemerkungen / Behinderungen']) expect(text).toContain(words);
  });

  it('is completed by a replica that is stopping, even for a slow reader', async () => {
    const texts = Array.from({ length: 60 }, (_, at) => Array.from({ length: 1_000 }, (__, word) => `Wort${String(at * word)}`).join(' '));
    await firm.record(...texts.map((value) => firm.entry({ date: '2026-07-01', value })));
    const environment = { ...running.environment, DRAIN_SECONDS: '600' };
    const replica = await createDailyReportsService(readConfig(environment), createLogger('daily-reports', 'fatal'));
    const client = createGrpcClient(dailyReportsV1.DailyReportsServiceClient, `127.0.0.1:${String(replica.grpcPort)}`);
    const request = { caller: firm.caller, reportId: `${firm.site}|2026-07-01`, judgeOnly: false };
    const parts = readStream(client, client.renderPdf, request, { stallMs: RUN_STALL_MS })[Symbol.asyncIterator]();
    await parts.next();
    let isDrained = false;
    const drained = replica.drain?.().then(() => (isDrained = true));
    let end = Buffer.alloc(0);
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
      expect(isDrained).toBe(false);
      if (next.value.part?.$case === 'chunk') end = Buffer.from(next.value.part.value);
    }
    expect(end.toString('latin1')).toMatch(/%%EOF\s*$/);
    await drained;
    client.close();
    await replica.stop();
  });

  it('is named when it begins, so that a client waits for its name and its turn together', async () => {
    const other = await openOrganization(running);
    const texts = Array.from({ length: 60 }, (_, at) => `${String(at)} Schalung`.padEnd(10_000, ' ausgerichtet und betoniert.'));
    for (const date of ['2026-07-01', '2026-07-02']) await other.record(...texts.map((value) => other.entry({ date, value })));
    const begin = (date: string) => {
      const request = { caller: other.caller, reportId: `${other.site}|${date}`, judgeOnly: false };
      return readStream(running.client, running.client.renderPdf, request, { stallMs: RUN_STALL_MS });
    };
    const [first, second] = [begin('2026-07-01'), begin('2026-07-02')];
    for (const kind of ['head', 'chunk']) expect((await first.next()).value?.part?.$case).toBe(kind);
    // Large reports of an institution are printed one after the other.
    let isNamed = false;
    const named = second.next().then(({ value }) => {
      isNamed = true;
      return value?.part?.$case;
    });
    await render(`${other.site}|2026-07-03`, { caller: other.caller });
    expect(isNamed).toBe(false);
    await first.return();
    expect(await named).toBe('head');
    expect((await second.next()).value?.part?.$case).toBe('chunk');
    await second.return();
  });

  it('is validated before it is rendered', async () => {
    const off = buildProject({ institution_id: firm.institutionId, daily_reports_enabled: false });
    await running.importRecords([off]);
    const other = await openOrganization(running);
    const hidden = callerIn(firm.institutionId, { projects: { projectIds: [firm.otherSite] } });
    const id = `${firm.site}|2026-03-02`;
    expect(await render(id, { judgeOnly: true })).toMatchObject({
      fileName: expect.stringContaining('Tagesbericht-'),
      bytes: Buffer.alloc(0),
    });
    for (const bad of [firm.site, `${firm.site}|`, `${firm.site}|2026-02-30`, 'x|2026-03-02', `${off.id}|2026-03-02`]) {
      await expect(render(bad)).rejects.toMatchObject({ code: 'invalid', details: { id: [expect.any(String)] } });
    }
    for (const caller of [other.caller, hidden]) await expect(render(id, { caller })).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('a bundle', () => {
  const DAYS = ['2026-06-01', '2026-06-02', '2026-06-03'];
  const wish = { date_from: '2026-06-01', date_to: '2026-06-03' };

  async function written(parameters: Record<string, string>, caller = firm.caller) {
    const parts: dailyReportsV1.RenderBundleResponse[] = [];
    for await (const part of readStream(running.client, running.client.renderBundle, { caller, parameters })) parts.push(part);
    return { bytes: Buffer.concat(parts.map(({ chunk }) => chunk)), last: parts.at(-1) };
  }

  beforeAll(async () => {
    await firm.record(...DAYS.map((date) => firm.entry({ date, field_id: 'comments', value: `Am ${date}` })));
  });

  it('is one PDF, sorted by day', async () => {
    const { bytes, last } = await written({ ...wish, format: 'pdf' });
    const text = await textOf(bytes);
    const places = DAYS.map((date) => text.indexOf(`Am ${date}`));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
    expect(text.match(/Seite 1 von 1/g)).toHaveLength(3);
    expect(last).toMatchObject({ total: 3 });
  });

  it('is an archive of PDFs with the names of single PDFs', async () => {
    const { bytes } = await written({ ...wish, date_to: '2026-06-02', format: 'zip' });
    const names = ['Tagesbericht-S-1-2026-06-01.pdf', 'Tagesbericht-S-1-2026-06-02.pdf'];
    // Once before each file and once in the directory at the end.
    expect(bytes.toString('latin1').match(/Tagesbericht-[\w-]+\.pdf/g)).toEqual([...names, ...names]);
    const second = bytes.subarray(bytes.lastIndexOf('%PDF-'), bytes.lastIndexOf('%%EOF') + '%%EOF\n'.length);
    const text = await textOf(second);
    expect(text).toContain('Am 2026-06-02');
    expect(text).not.toContain('Am 2026-06-01');
  });

  it('supports days that archives cannot represent as file times', async () => {
    const days = ['1926-06-01', '2126-06-01'];
    await firm.record(...days.map((date) => firm.entry({ date, field_id: 'comments', value: 'Vertippt' })));
    for (const date of days) {
      const { bytes } = await written({ date_from: date, date_to: date, format: 'zip' });
      const text = await textOf(bytes.subarray(bytes.indexOf('%PDF-'), bytes.lastIndexOf('%%EOF') + '%%EOF\n'.length));
      expect(text).toContain('Vertippt');
    }
  });

  it('has no file names that Windows and macOS treat as equal', async () => {
    const twins = ['B-7', 'b-7', 'B 7'].map((code) => buildProject({ institution_id: newId(), code }));
    const other = await openOrganization(running, twins);
    await other.record(...twins.map(({ id }) => other.entry({ tag_id: id, date: '2026-06-01', field_id: 'comments', value: 'Ja' })));
    const { bytes } = await written({ ...wish, format: 'zip' }, other.caller);
    const names = bytes.toString('latin1').match(/Tagesbericht-[\w-]+\.pdf/g) ?? [];
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  });

  it('may contain reports whose computed fields are large together', async () => {
    const other = await openOrganization(running);
    await other.record(...DAYS.map((date) => other.entry({ date, field_id: 'comments', value: `Am ${date}` })));
    const large = { type: 'string', value: 'x'.repeat(7_000_000) };
    await changeReports(other, { 'description.newest': [{ id: newId(), value: large }] });
    const { last } = await written({ ...wish, format: 'pdf' }, other.caller);
    expect(last).toMatchObject({ total: 3 });
  });

  it('is refused as a PDF if it would have too many entries', async () => {
    const other = await openOrganization(running);
    await other.record(...DAYS.map((date) => other.entry({ date, field_id: 'comments', value: `Am ${date}` })));
    await changeReports(other, { size: { entries: 40_000, bytes: 0 } });
    await expect(written({ ...wish, format: 'pdf' }, other.caller)).rejects.toMatchObject({
      code: 'invalid',
      details: { non_field_errors: [expect.stringContaining('these are 120000')] },
    });
    for (const parameters of [
      { ...wish, format: 'zip' },
      { ...wish, date_to: '2026-06-02', format: 'pdf' },
    ])
      expect((await written(parameters, other.caller)).bytes.length).toBeGreaterThan(0);
  });

  async function changeReports({ institutionId }: Organization, fields: object): Promise<void> {
    const { servers } = running;
    const mongo = await connectMongo({
      url: servers.mongodbUrl,
      database: servers.database('daily_reports'),
      logger: createLogger('test', 'fatal'),
    });
    await mongo.connection.collection('descriptors').updateMany({ institution_id: institutionId }, { $set: fields });
    await mongo.close();
  }

  it('contains the reports that the caller may see, and requires at least one', async () => {
    const hidden = callerIn(firm.institutionId, { projects: { projectIds: [firm.otherSite] } });
    const other = await openOrganization(running);
    for (const caller of [hidden, other.caller]) {
      await expect(written({ ...wish, format: 'pdf' }, caller)).rejects.toMatchObject({ code: 'invalid' });
      await expect(written({ ...wish, projects: firm.site, format: 'pdf' }, caller)).rejects.toMatchObject({
        details: { projects: [`Invalid pk "${firm.site}" - object does not exist.`] },
      });
    }
    await expect(written({ ...wish, status: 'archived', format: 'pdf' })).rejects.toMatchObject({
      details: { non_field_errors: ['There are no such reports.'] },
    });
  });
});
