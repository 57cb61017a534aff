import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callUnary } from '@stechuhr/service';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';

describe('types of fields', () => {
  let reports: RunningDailyReports;

  beforeAll(async () => {
    reports = await startDailyReports();
  });
  afterAll(() => reports.stop());

  it('are seven; only weather has choices', async () => {
    const { types } = await callUnary(reports.client, reports.client.listFieldTypes, {});
    expect(types.map(({ id, groupBy }) => [id, ...groupBy].join(' '))).toEqual([
      'weather date tag_id time',
      'employee-working-times date tag_id on_behalf_of_id',
      'subcontractors date tag_id on_behalf_of_id name',
      'activities date tag_id on_behalf_of_id text',
      'string date tag_id on_behalf_of_id value',
      'image date tag_id on_behalf_of_id image_id',
      'signature date tag_id on_behalf_of_id',
    ]);
    expect(
      types.flatMap(({ id, choices }) => choices.map(({ name, choices: list }) => [id, name, ...list.map((choice) => choice.id)])),
    ).toEqual([['weather', 'condition', 'sunny', 'cloudy', 'precipitation', 'snow']]);
  });
});
