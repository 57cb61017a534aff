import type { SignatureValue } from '../entry-value.js';
import type { FieldType } from './field-type.js';

export const signature: FieldType<SignatureValue> = {
  id: 'signature',
  groupBy: ['on_behalf_of_id'],
  description: 'Signatures as data URLs, one for each person. Accepts no options.',
  choices: {},
  groupingValues: (_value, onBehalfOfId) => [onBehalfOfId],
};
