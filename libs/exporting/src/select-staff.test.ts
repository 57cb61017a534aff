import { describe, expect, it } from '@jest/globals';
import { parseExportRequest } from './request/parse-request.js';
import { selectStaff } from './select-staff.js';
import { anna, bernd, carla, directory, id, staffOf as select } from './test/fixture.js';

const skippedCarla = [{ id: carla.id, name: 'Carla Dorn', reason: 'archived' }];

describe('selectStaff', () => {
  it('skips and lists employees who were archived before the period', async () => {
    expect(await select({})).toEqual({ included: [anna, bernd], skipped: skippedCarla });
    expect(await select({ daterange: '2026-03-31|2026-04-07' })).toEqual({ included: [anna, bernd, carla], skipped: [] });
    expect(await select({ filter: 'archived=true' })).toEqual({ included: [], skipped: skippedCarla });
    expect(await select({ filter: 'archived=false' })).toEqual({ included: [anna, bernd], skipped: [] });
  });

  it('counts only selected staff as skipped', async () => {
    expect(await select({ employee_ids: `${anna.id}` })).toEqual({ included: [anna], skipped: [] });
    expect(await select({ filter: 'department=Hochbau' })).toEqual({ included: [anna], skipped: [] });
    expect(await select({ employee_ids: carla.id })).toEqual({ included: [], skipped: skippedCarla });
  });

  it('does not list archived employees if a filter requires records in the period', async () => {
    expect(await select({ filter: 'project=P-100' })).toEqual({ included: [anna, bernd], skipped: [] });
    expect(await select({ filter: 'missing-type!=sick' })).toEqual({ included: [anna, bernd], skipped: skippedCarla });
  });

  it('selects employees who match the ids or the groups, in the order of the rows', async () => {
    expect((await select({ employee_ids: bernd.id, employee_group_ids: id(11) })).included).toEqual([anna, bernd]);
    expect((await select({ employee_group_ids: id(12) })).included).toEqual([bernd]);
  });
});

describe('the staff of a large firm', () => {
  const staff = Array.from({ length: 2000 }, (_, n) => ({ ...anna, id: id(1000 + n), number: String(n) }));

  it('is chosen by many filters while others work', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const filter = Array.from({ length: 200 }, () => 'q=abel').join('|');
    expect((await select({ filter }, { ...directory, staff })).included).toHaveLength(staff.length);
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('is chosen by the maximum number of ids in each part of multi in a moment', async () => {
    const many = { ...directory, staff: Array.from({ length: 20_000 }, (_, n) => ({ ...anna, id: id(n) })) };
    const ids = many.staff.slice(-1400).map((member) => member.id);
    const config = JSON.stringify(Array.from({ length: 20 }, () => ({})));
    const before = process.cpuUsage();
    const request = parseExportRequest('multi', { daterange: '2026-04-01|2026-04-30', employee_ids: ids.join('|'), config }, many);
    const { sections } = await selectStaff(request, many);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3_000);
    expect(sections.map((section) => section.length)).toEqual(Array.from({ length: 20 }, () => ids.length));
  });
});
