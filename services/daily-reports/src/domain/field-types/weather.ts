import type { WeatherValue } from '../entry-value.js';
import type { FieldType } from './field-type.js';

export const weather: FieldType<WeatherValue> = {
  id: 'weather',
  groupBy: ['time'],
  description:
    'Weather readings, one for each configured time. Requires the options times (list of HHMM) and autofill_from_api (boolean). precipitation, cloud_cover and wind are accepted on writes and not returned.',
  choices: {
    condition: [
      { id: 'sunny', label: 'Sonnig' },
      { id: 'cloudy', label: 'Bewölkt' },
      { id: 'precipitation', label: 'Niederschlag' },
      { id: 'snow', label: 'Schnee' },
    ],
  },
  groupingValues: ({ time }) => [time],
};
