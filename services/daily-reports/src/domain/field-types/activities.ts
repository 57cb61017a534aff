import type { ActivityValue } from '../entry-value.js';
import type { FieldType } from './field-type.js';

export const activities: FieldType<ActivityValue> = {
  id: 'activities',
  groupBy: ['on_behalf_of_id', 'text'],
  description: 'What was done. Requires the option autofill_from_tracking (boolean).',
  choices: {},
  groupingValues: ({ text }, onBehalfOfId) => [onBehalfOfId, text],
};
