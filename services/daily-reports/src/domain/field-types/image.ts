import type { ImageValue } from '../entry-value.js';
import type { FieldType } from './field-type.js';

export const image: FieldType<ImageValue> = {
  id: 'image',
  groupBy: ['on_behalf_of_id', 'image_id'],
  description: 'Photos, uploaded with an upload token before their entry is stored. Accepts no options.',
  choices: {},
  groupingValues: ({ imageId }, onBehalfOfId) => [onBehalfOfId, imageId],
};
