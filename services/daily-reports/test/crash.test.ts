import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { readStream } from '@stechuhr/service';
import { formatLocalDate } from '@stechuhr/worktime';
import { extractText, getDocumentProxy } from 'unpdf';
import type { Context } from '../src/context.js';
import { recordEntries } from '../src/operations/record-entries.js';
import type { EntryDraft } from '../src/operations/ports.js';
import { interruptedStores, type Interruption } from './support/interrupted-stores.js';
import { dayOf, openOrganization, saidBy, type Line, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { openContext } from './support/site.js';

let running: RunningDailyReports;
let firm: Organization;
let present = Date.now();
/** The interruption between two steps of a writer, in another replica. */
let broken: Interruption | undefined;
let replica: Context;
/** The interruption between two steps of an import, in the service itself. */
let between: Interruption | undefined;

beforeAll(async () => {
  running = await startDailyReports({}, { clock: { now: () => present }, stores: interruptedStores(() => between) });
  const overrides = { clock: { now: () => present }, stores: interruptedStores(() => broken) };
  replica = await openContext(running, overrides);
});
afterAll(async () => {
  await replica.close();
  await running.stop();
});

beforeEach(async () => {
  [broken, between] = [undefined, undefined];
  firm = await openOrganization(running);
});

function hours(value: number, employeeId: string): EntryDraft {
  const worked = {
    type: 'employee-working-times' as const,
    hours: value,
    employeeAccountId: '',
    employeeName: 'Max',
    employeePosition: '',
  };
  const who = { authorId: firm.ada, onBehalfOfId: employeeId, burned: false };
  return { id: newId(), fieldId: 'employee-working-times', value: worked, ...who, submittedAt: 0, createdAt: 0, modifiedAt: 0 };
}

function write(...drafts: EntryDraft[]) {
  const report = { tagId: firm.site, date: dayOf('2026-03-02') };
  return recordEntries(replica.ports, { institutionId: firm.institutionId }, { report, drafts });
}

async function listed(): Promise<unknown[]> {
  const { count, reports } = await firm.reports();
  return [count, ...reports.map(({ totalHours, employees }) => [totalHours, employees.length])];
}

/** Returns the list after all reports were recomputed. */
async function rebuilt(): Promise<dailyReportsV1.Report[]> {
  let slices = 0;
  for await (const { rebuilt: done } of readStream(running.client, running.client.rebuildDescriptors, { caller: firm.caller }))
    slices = done;
  expect(slices).toBeGreaterThan(0);
  return (await firm.reports()).reports;
}

describe('twenty writers of one group', () => {
  it('each get a version, and all readers get the newest one', async () => {
    const lines = Array.from({ length: 20 }, (_, at) =>
      firm.entry({
        field_id: 'employee-working-times',
        on_behalf_of_id: firm.max,
        hours: at + 1,
        author_id: at % 2 === 0 ? firm.ada : firm.ben,
      }),
    );
    const lineImports = lines.slice(0, 10).map((line) => firm.import([line]));
    const direct = lines.slice(10).map((line) => write({ ...hours(Number(line.hours), firm.max), id: String(line.id) }));
    const outcomes = await Promise.all(lineImports);
    await Promise.all(direct);
    expect(outcomes.flatMap(({ rejected }) => rejected)).toEqual([]);
    const all = (await firm.entries()).entries;
    expect(all).toHaveLength(20);
    expect(new Set(all.map(({ groupCount }) => groupCount))).toEqual(new Set([20]));
    const grouped = (await firm.entries({ grouped: '1' })).entries;
    expect(grouped.map(({ id }) => id)).toEqual([all[0]?.id]);
    const newest = all[0]?.value?.value;
    const total = newest?.$case === 'employeeWorkingTimes' ? newest.value.hours : Number.NaN;
    expect(await listed()).toEqual([1, [total, 1]]);
    expect((await firm.reports()).reports).toEqual(await rebuilt());
  });
});

describe('a writer that is killed', () => {
  const cases = [
    ['before it takes a sequence', { store: 'reports', method: 'mark', before: true }, [1, [8, 1]]],
    ['after it took a sequence', { store: 'entries', method: 'insert', before: true }, [1, [8, 1]]],
    ['after the entry was there', { store: 'entries', method: 'insert', before: false }, [1, [12, 2]]],
    ['before the description was written', { store: 'reports', method: 'describe', before: true }, [1, [12, 2]]],
    ['after the description was written', { store: 'reports', method: 'describe', before: false }, [1, [12, 2]]],
  ] as const;

  it.each(cases)('%s loses no written entries', async (_when, where, expected) => {
    await write(hours(8, firm.max));
    broken = where;
    await expect(write(hours(4, firm.eva))).rejects.toThrow('killed');
    broken = undefined;
    expect(await listed()).toEqual(expected);
    expect((await firm.reports()).reports).toEqual(await rebuilt());
  });

  it('leaves no report out of the next list, however many it was writing', async () => {
    const days = Array.from({ length: 250 }, (_, at) => formatLocalDate(dayOf('2026-03-02') + at));
    between = { store: 'reports', method: 'describe', before: true };
    await expect(firm.import(days.map((date) => firm.entry({ date })))).rejects.toThrow();
    between = undefined;
    expect((await firm.reports()).count).toBe(250);
  });

  it('before the first entry of a day creates no report', async () => {
    broken = { store: 'entries', method: 'insert', before: true };
    await expect(write(hours(4, firm.eva))).rejects.toThrow('killed');
    expect(await listed()).toEqual([0]);
  });

  it('does not lose an entry if a reader computed the report before it was stored', async () => {
    await write(hours(8, firm.max));
    // The mark is stored, a reader computes the report, then the entry is stored, then the writer finishes.
    const { entries } = replica.ports;
    const killedAfterInsert = {
      ...entries,
      insert: async (...given: Parameters<typeof entries.insert>) => {
        expect(await listed()).toEqual([1, [8, 1]]);
        await entries.insert(...given);
        throw new Error('killed');
      },
    };
    const report = { tagId: firm.site, date: dayOf('2026-03-02') };
    const ports = { ...replica.ports, entries: killedAfterInsert };
    const recording = { report, drafts: [hours(4, firm.eva)] };
    await expect(recordEntries(ports, { institutionId: firm.institutionId }, recording)).rejects.toThrow('killed');
    expect(await listed()).toEqual([1, [12, 2]]);
    expect((await firm.entries({ grouped: '1' })).entries.map(({ value }) => saidBy(value))).toEqual(['Max 4', 'Max 8']);
  });

  it('is considered interrupted after a minute', async () => {
    broken = { store: 'entries', method: 'insert', before: true };
    await expect(write(hours(4, firm.eva))).rejects.toThrow('killed');
    broken = undefined;
    await write(hours(8, firm.max));
    const marked = () => replica.ports.reports.marked({ institutionId: firm.institutionId });
    expect(await listed()).toEqual([1, [8, 1]]);
    expect(await marked()).toHaveLength(1);
    present += 61_000;
    expect(await listed()).toEqual([1, [8, 1]]);
    expect(await marked()).toHaveLength(0);
  });
});

describe('a list that is slower than the removal of the newest entry', () => {
  /** Holds up the next list right before it stores which entries are superseded. @returns the gate */
  function heldUp() {
    const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const act = async (): Promise<void> => {
      between = undefined;
      reached.resolve();
      await resumed.promise;
    };
    between = { store: 'entries', method: 'setSuperseded', before: true, act };
    return { reached: reached.promise, resume: resumed.resolve };
  }

  it('does not hide the entry before it', async () => {
    const [first, second] = [hours(8, firm.max), hours(4, firm.max)];
    await write(first);
    let list: Promise<unknown> = Promise.resolve();
    const gate = heldUp();
    // The list reads both entries while the second one is being written.
    const act = async (): Promise<void> => {
      broken = undefined;
      list = firm.reports();
      await gate.reached;
    };
    broken = { store: 'entries', method: 'insert', before: false, act };
    await write(second);
    await firm.record({ kind: 'daily_report_entry', institution_id: firm.institutionId, id: second.id, deleted: true });
    gate.resume();
    await list;
    expect((await firm.entries({ grouped: '1' })).entries.map(({ value }) => saidBy(value))).toEqual(['Max 8']);
    expect(await listed()).toEqual([1, [8, 1]]);
  });
});

describe('entries whose report changes its status after they were validated', () => {
  /** Runs once, right before the report is marked. */
  function meanwhile(...lines: readonly Line[]): void {
    const act = async (): Promise<void> => {
      between = undefined;
      await firm.record(...lines);
    };
    between = { store: 'reports', method: 'mark', before: true, act };
  }

  it.each([
    ['has entries', true],
    ['is new', false],
  ])('are rejected if it %s and is archived', async (_what, hasEntries) => {
    if (hasEntries) await firm.record(firm.entry());
    meanwhile(firm.status('closed'), firm.status('archived'));
    const other = firm.entry({ tag_id: firm.otherSite });
    const lines = [firm.entry({ value: 'Nachtrag' }), firm.entry({ value: 'Noch einer' }), other];
    const { rejected, accepted } = await firm.import(lines);
    const reason = 'daily_report_entry: The report of that day is archived.';
    expect([rejected, accepted]).toEqual([[`1 ${reason}`, `2 ${reason}`], { daily_report_entry: 1 }]);
    expect((await firm.entries({ tags: firm.site })).count).toBe(hasEntries ? 1 : 0);
    expect(await replica.ports.reports.marked({ institutionId: firm.institutionId })).toEqual([]);
    expect((await firm.reports({ projects: firm.site })).count).toBe(hasEntries ? 1 : 0);
  });

  it('are not removed if it is archived', async () => {
    const line = firm.entry();
    await firm.record(line);
    meanwhile(firm.status('closed'), firm.status('archived'));
    const removal = { kind: 'daily_report_entry', institution_id: firm.institutionId, id: line.id, deleted: true };
    expect((await firm.import([removal])).rejected).toEqual(['1 daily_report_entry: The report of that day is archived.']);
    expect((await firm.entries()).count).toBe(1);
    expect(await replica.ports.reports.marked({ institutionId: firm.institutionId })).toEqual([]);
  });

  it('are accepted if it is submitted', async () => {
    meanwhile(firm.status('submitted'));
    await firm.record(firm.entry(), firm.entry({ value: 'Nachtrag' }), firm.entry({ value: 'Nachtrag', author_id: firm.ben }));
    expect((await firm.entries()).entries.map(({ groupCount }) => groupCount)).toEqual([2, 2, 1]);
  });
});

describe('the PDF of a report that changes while it is read', () => {
  async function printed(): Promise<string> {
    const chunks: Uint8Array[] = [];
    const request = { caller: firm.caller, reportId: `${firm.site}|2026-03-02`, judgeOnly: false };
    for await (const { part } of readStream(running.client, running.client.renderPdf, request))
      if (part?.$case === 'chunk') chunks.push(part.value);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(Buffer.concat(chunks))), { mergePages: true });
    return text;
  }

  it('has the status that the report had with these entries', async () => {
    await firm.record(firm.entry({ value: 'Anfang' }), firm.status('closed'));
    await firm.record(firm.status('archived'));
    const act = async (): Promise<void> => {
      between = undefined;
      await firm.record(firm.status('draft'));
      await firm.record(firm.entry({ value: 'Nachtrag' }));
    };
    between = { store: 'entries', method: 'ofReport', before: true, act };
    const text = await printed();
    expect([text.includes('Archiviert'), text.includes('Entwurf'), text.includes('Nachtrag')]).toEqual([false, true, true]);
  });
});
