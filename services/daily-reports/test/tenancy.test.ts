import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { commonV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, readStream } from '@stechuhr/service';
import type { Context } from '../src/context.js';
import { reportId } from '../src/domain/report.js';
import { callerIn, dayOf, openOrganization, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { openContext } from './support/site.js';

let running: RunningDailyReports;
let context: Context;
let firm: Organization;
let other: Organization;

beforeAll(async () => {
  running = await startDailyReports();
  context = await openContext(running);
});
afterAll(async () => {
  await context.close();
  await running.stop();
});

beforeEach(async () => {
  firm = await openOrganization(running);
  other = await openOrganization(running);
});

describe('GetForm', () => {
  async function formOf(caller: commonV1.Caller) {
    const { id, validFrom, fields } = await callUnary(running.client, running.client.getForm, { caller, date: dayOf('2026-03-02') });
    return { id, validFrom, fields: fields.map((field) => `${field.id} ${field.type}`) };
  }

  it('returns the form of the institution of the caller only', async () => {
    const builtIn = await formOf(other.caller);
    expect([builtIn.id, builtIn.validFrom]).toEqual([undefined, undefined]);
    const [own, theirs] = [newId(), newId()];
    const field = (id: string) => ({ id, type: 'string', label: id, config: {} });
    await firm.record(firm.form('2026-03-01', [field('concrete')], { id: own }));
    expect(await formOf(firm.caller)).toMatchObject({ id: own, fields: ['concrete string'] });
    for (const caller of [other.caller, callerIn(newId())]) expect(await formOf(caller)).toEqual(builtIn);
    await other.record(other.form('2026-03-01', [field('steel')], { id: theirs }));
    expect(await formOf(other.caller)).toMatchObject({ id: theirs, fields: ['steel string'] });
    expect(await formOf(firm.caller)).toMatchObject({ id: own, fields: ['concrete string'] });
  });
});

describe('RebuildDescriptors', () => {
  async function rebuild(caller: commonV1.Caller): Promise<number> {
    let last = 0;
    for await (const { rebuilt } of readStream(running.client, running.client.rebuildDescriptors, { caller })) last = rebuilt;
    return last;
  }

  /** Each computation of a report increments its revision. */
  async function stored({ institutionId, site }: Organization) {
    const report = { tagId: site, date: dayOf('2026-03-02') };
    return (await context.ports.reports.load({ institutionId }, [report])).get(reportId(report));
  }

  it('recomputes only the reports of the institution of the caller', async () => {
    await firm.record(firm.entry(), firm.entry({ tag_id: firm.otherSite }));
    await other.record(other.entry());
    const [own, theirs] = [await stored(firm), await stored(other)];
    await expect(rebuild(callerIn(newId()))).rejects.toMatchObject({ code: 'not_found' });
    expect(await rebuild(other.caller)).toBe(1);
    expect(await stored(firm)).toEqual(own);
    const described = await stored(other);
    expect(described?.revision).toBe((theirs?.revision ?? 0) + 1);
    expect(await rebuild(firm.caller)).toBe(2);
    expect((await stored(firm))?.revision).toBe((own?.revision ?? 0) + 1);
    expect(await stored(other)).toEqual(described);
  });

  it('has nothing to do for an institution without reports', async () => {
    expect(await rebuild(firm.caller)).toBe(0);
  });
});
