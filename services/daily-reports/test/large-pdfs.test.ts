import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createFairShares } from '@stechuhr/kernel';
import type { Context } from '../src/context.js';
import { renderPdf } from '../src/operations/render-pdf.js';
import { renderBundle } from '../src/operations/render-bundle.js';
import { dayOf, openOrganization, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { openContext } from './support/site.js';

let running: RunningDailyReports;
let context: Context;
let firms: readonly Organization[];
/** The days of which a PDF has begun to read the entries. */
const begun: string[] = [];

beforeAll(async () => {
  running = await startDailyReports();
  context = await openContext(running);
  firms = [await openOrganization(running), await openOrganization(running), await openOrganization(running)];
  const value = 'Schalung ausgerichtet und betoniert. '.repeat(300).slice(0, 10_000).trimEnd();
  for (const firm of firms) {
    for (const date of ['2026-03-02', '2026-03-03']) {
      const texts = Array.from({ length: 60 }, (_, at) => firm.entry({ date, value: `${String(at)} ${value}`.slice(0, 10_000) }));
      await firm.record(...texts);
    }
    await firm.record(firm.entry({ date: '2026-03-04' }));
  }
});
afterAll(async () => {
  await context.close();
  await running.stop();
});

function callFor(firm: Organization) {
  const caller = { institutionId: firm.institutionId, accountId: firm.ada };
  const { signal } = new AbortController();
  const { entries } = context.ports;
  const ofReport: typeof entries.ofReport = (tenant, report, ...more) => {
    begun.push(`${String(firms.indexOf(firm))} ${String(report.date)}`);
    return entries.ofReport(tenant, report, ...more);
  };
  const records = context.recordsOf({ ...firm.caller, ...caller }, signal);
  return { ...context.ports, entries: { ...entries, ofReport }, caller, records, signal, ...context.pdf, memory: context.bundleMemory };
}

/** Asks for the first part of a PDF, after which its memory is held. */
async function begin(firm: Organization, date: string): Promise<AsyncIterator<Uint8Array>> {
  const { chunks } = await renderPdf(callFor(firm), `${firm.site}|${date}`);
  return chunks[Symbol.asyncIterator]();
}

it('a large report is printed when the one of its institution before it is done; others are not held up', async () => {
  const [firm, other] = firms as [Organization, Organization];
  const [first, second] = [await begin(firm, '2026-03-02'), await begin(firm, '2026-03-03')];
  await first.next();
  const waiting = second.next();
  for (const [who, date] of [
    [other, '2026-03-02'],
    [firm, '2026-03-04'],
  ] as const) {
    const chunks = await begin(who, date);
    await chunks.next();
    await chunks.return?.();
  }
  const day = (date: string) => String(dayOf(date));
  expect(begun).toEqual([`0 ${day('2026-03-02')}`, `1 ${day('2026-03-02')}`, `0 ${day('2026-03-04')}`]);
  await first.return?.();
  expect((await waiting).done).toBe(false);
  await second.return?.();
});

it('two large reports at most are in memory, those of bundles counted', async () => {
  const [firm, other, third] = firms as [Organization, Organization, Organization];
  begun.length = 0;
  const parameters = { date_from: '2026-03-02', date_to: '2026-03-02', format: 'pdf' };
  const bundle = renderBundle(callFor(firm), parameters)[Symbol.asyncIterator]();
  await bundle.next();
  const single = await begin(other, '2026-03-02');
  await single.next();
  const waiting = (await begin(third, '2026-03-02')).next();
  const small = await begin(third, '2026-03-04');
  await small.next();
  await small.return?.();
  expect(begun.map((one) => one[0])).toEqual(['0', '1', '2']);
  expect(begun.at(-1)).toBe(`2 ${String(dayOf('2026-03-04'))}`);
  await bundle.return(undefined);
  expect((await waiting).done).toBe(false);
  await single.return?.();
});

it('bundles are written while there is memory for them, of which an institution gets a part', async () => {
  const [firm, other] = firms as [Organization, Organization];
  // A small bundle takes 16 MiB.
  const memory = createFairShares(50 * 1024 * 1024);
  const open = async (of: Organization, format: string) => {
    const parameters = { date_from: '2026-03-04', date_to: '2026-03-04', format };
    const bundle = renderBundle({ ...callFor(of), memory }, parameters)[Symbol.asyncIterator]();
    await bundle.next();
    return bundle;
  };
  const first = await open(firm, 'zip');
  const second = await open(firm, 'pdf');
  await expect(open(firm, 'pdf')).rejects.toMatchObject({ code: 'unavailable' });
  const others = await open(other, 'zip');
  await expect(open(other, 'zip')).rejects.toMatchObject({ code: 'unavailable' });
  for (let next = await second.next(); next.done !== true; next = await second.next());
  const again = await open(other, 'pdf');
  for (const bundle of [first, others, again]) await bundle.return(undefined);
  for (const bundle of [await open(firm, 'zip'), await open(firm, 'pdf')]) await bundle.return(undefined);
});
