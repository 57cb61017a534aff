import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import fc from 'fast-check';
import type { Context } from '../src/context.js';
import { isSettled, type TrackedValue } from '../src/domain/autofill.js';
import { describeReport } from '../src/domain/description.js';
import { groupHash, newestOfGroups, type Entry } from '../src/domain/entry.js';
import { builtInForm } from '../src/domain/form.js';
import { reportId, type ReportKey } from '../src/domain/report.js';
import { sizeOf } from '../src/domain/report-size.js';
import type { EntryDraft, Ports, Tenant } from '../src/operations/ports.js';
import { recordEntries } from '../src/operations/record-entries.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { openContext } from './support/site.js';

let reports: RunningDailyReports;
let replicas: readonly [Context, Context];

beforeAll(async () => {
  reports = await startDailyReports();
  replicas = [await openContext(reports), await openContext(reports)];
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await reports.stop();
});

/** One writer: a person, or an autofill with these hours (none: the tracked time was removed). */
interface Writer {
  readonly replica: 0 | 1;
  readonly isPerson: boolean;
  readonly entries: readonly { readonly employeeId: string; readonly hours: number }[];
}

const writer: fc.Arbitrary<Writer> = fc.record({
  replica: fc.constantFrom(0, 1),
  isPerson: fc.boolean(),
  entries: fc.array(fc.record({ employeeId: fc.constantFrom('max', 'eva', 'ole'), hours: fc.constantFrom(0, 4, 8) }), {
    minLength: 1,
    maxLength: 4,
  }),
});

function draftOf({ isPerson }: Writer, { employeeId, hours }: Writer['entries'][number]): EntryDraft {
  const snapshot = { employeeAccountId: '', employeeName: '', employeePosition: '' };
  const wanted: TrackedValue | undefined = hours === 0 ? undefined : { type: 'employee-working-times', hours };
  return {
    ...{ id: newId(), fieldId: 'employee-working-times', onBehalfOfId: employeeId, burned: hours === 0 },
    value: { type: 'employee-working-times', hours, ...snapshot },
    ...{ authorId: isPerson ? 'boss' : null, submittedAt: null, createdAt: 0, modifiedAt: 0 },
    ...(!isPerson && { isNeedless: (newest: Entry | undefined) => isSettled(newest, wanted) }),
  };
}

/** Runs all writers concurrently. @returns what each of them wrote */
async function writeAll(writers: readonly Writer[], tenant: Tenant, report: ReportKey): Promise<readonly Entry[]> {
  const recorded = await Promise.all(
    writers.map((one) => {
      const drafts = one.entries.map((entry) => draftOf(one, entry));
      return recordEntries(replicas[one.replica].ports, tenant, { report, drafts });
    }),
  );
  return recorded.flatMap(({ written }) => written);
}

const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id).sort();

async function expectGroupsInLine({ entries: store }: Ports, tenant: Tenant, entries: readonly Entry[]): Promise<void> {
  expect(new Set(entries.map(({ sequence }) => sequence)).size).toBe(entries.length);
  for (const [hash, versions] of Map.groupBy(entries, groupHash)) {
    const head = (await store.headsOf(tenant, [hash])).get(hash);
    expect([head?.version, head?.entry.id]).toEqual([versions.length, versions.at(-1)?.id]);
    const firstOfPerson = versions.findIndex(({ authorId }) => authorId !== null);
    const lastOfSystem = versions.findLastIndex(({ authorId }) => authorId === null);
    if (firstOfPerson !== -1) expect(lastOfSystem).toBeLessThan(firstOfPerson);
  }
}

async function expectListsToKnow({ entries: store, reports: described }: Ports, tenant: Tenant, entries: readonly Entry[]): Promise<void> {
  const [report] = entries;
  if (report === undefined) return;
  const stored = (await described.load(tenant, [report])).get(reportId(report));
  expect(stored?.marks).toEqual([]);
  const size = sizeOf(entries.map(({ value }) => value));
  expect((await described.standings(tenant, [report])).get(reportId(report))?.size).toEqual(size);
  const all = { projectIds: [report.tagId], range: { from: undefined, until: undefined }, statuses: [] };
  const listed = await described.page(tenant, { ...all, ascending: true, limit: 1, offset: 0 });
  expect(listed.results[0]?.description).toEqual(describeReport(builtInForm, entries));
  const known = [{ from: undefined, until: undefined, fields: builtInForm.fields }];
  const range = { from: report.date, until: report.date };
  const filter = { projectIds: [report.tagId], range, known, fieldId: undefined, ids: undefined, modifiedSince: undefined };
  const page = await store.page(tenant, { filter, ascending: true, newestOnly: true, limit: 100, offset: 0 });
  expect(idsOf(page.results)).toEqual(idsOf(newestOfGroups(entries)));
}

describe('concurrent writers of one report on two replicas', () => {
  it('leave consecutive versions in every group, overwrite no manual entries, and keep lists correct', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(writer, { minLength: 2, maxLength: 12 }), async (writers) => {
        const tenant = { institutionId: newId() };
        const report = { tagId: newId(), date: 20_522 };
        const written = await writeAll(writers, tenant, report);
        const [{ ports }] = replicas;
        const entries = await ports.entries.ofReport(tenant, report);
        expect(idsOf(entries)).toEqual(idsOf(written));
        const byPersons = writers.filter(({ isPerson }) => isPerson).flatMap((one) => one.entries);
        expect(entries.filter(({ authorId }) => authorId !== null)).toHaveLength(byPersons.length);
        await expectGroupsInLine(ports, tenant, entries);
        await expectListsToKnow(ports, tenant, entries);
      }),
      { numRuns: 5 },
    );
  });
});
