import type { TextValue } from '../entry-value.js';
import type { FieldType } from './field-type.js';

export const text: FieldType<TextValue> = {
  id: 'string',
  groupBy: ['on_behalf_of_id', 'value'],
  description: 'Free text. Accepts no options.',
  choices: {},
  groupingValues: ({ value }, onBehalfOfId) => [onBehalfOfId, value],
};
