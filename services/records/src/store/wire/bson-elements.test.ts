import { describe, expect, it } from '@jest/globals';
import { nameKey } from './bson-elements.js';

describe('nameKey', () => {
  const month = '_id institution_id employee_id year month version id recorded opening_balance_minutes sequence workdays deleted_at outbox';
  const workday = 'id date started_at ended_at timespans edits version sequence';
  const timespan = 'id type started_at ended_at project_id comment';

  const edit = 'at by';

  it.each([month, workday, timespan, edit])('distinguishes %s', (fields) => {
    const names = fields.split(' ');
    expect(new Set(names.map(nameKey)).size).toBe(names.length);
  });
});
