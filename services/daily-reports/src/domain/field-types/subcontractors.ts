import type { SubcontractorValue } from '../entry-value.js';
import type { FieldType } from './field-type.js';

export const subcontractors: FieldType<SubcontractorValue> = {
  id: 'subcontractors',
  groupBy: ['on_behalf_of_id', 'name'],
  description: 'Other companies on the site. name and employees are required, hours and comment are optional. Accepts no options.',
  choices: {},
  groupingValues: ({ name }, onBehalfOfId) => [onBehalfOfId, name],
};
