import type { WorkingTimeValue } from '../entry-value.js';
import type { FieldType } from './field-type.js';

export const employeeWorkingTimes: FieldType<WorkingTimeValue> = {
  id: 'employee-working-times',
  groupBy: ['on_behalf_of_id'],
  description: 'Working hours, one entry for each employee. Requires the option autofill_from_tracking (boolean).',
  choices: {},
  groupingValues: (_value, onBehalfOfId) => [onBehalfOfId],
};
