import type {
  ActivityValue,
  EntryValue,
  FieldTypeId,
  ImageValue,
  SignatureValue,
  SubcontractorValue,
  TextValue,
  ValueOf,
  WeatherValue,
  WorkingTimeValue,
} from './entry-value.js';

interface Choice {
  readonly id: string;
  /** In German. */
  readonly label: string;
}

/** A type that a field of a form can have. */
export interface FieldType<V extends EntryValue = EntryValue> {
  readonly id: FieldTypeId & V['type'];
  /** The fields which, in addition to date and project, define the group of an entry. */
  readonly groupBy: readonly string[];
  readonly description: string;
  /** Lists of fixed values by name. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** One value for each name in `groupBy`. */
  groupingValues(value: V, onBehalfOfId: string | null): readonly (string | null)[];
}

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

const employeeWorkingTimes: FieldType<WorkingTimeValue> = {
  id: 'employee-working-times',
  groupBy: ['on_behalf_of_id'],
  description: 'Working hours, one entry for each employee. Requires the option autofill_from_tracking (boolean).',
  choices: {},
  groupingValues: (_value, onBehalfOfId) => [onBehalfOfId],
};

const subcontractors: FieldType<SubcontractorValue> = {
  id: 'subcontractors',
  groupBy: ['on_behalf_of_id', 'name'],
  description: 'Other companies on the site. name and employees are required, hours and comment are optional. Accepts no options.',
  choices: {},
  groupingValues: ({ name }, onBehalfOfId) => [onBehalfOfId, name],
};

const activities: FieldType<ActivityValue> = {
  id: 'activities',
  groupBy: ['on_behalf_of_id', 'text'],
  description: 'What was done. Requires the option autofill_from_tracking (boolean).',
  choices: {},
  groupingValues: ({ text }, onBehalfOfId) => [onBehalfOfId, text],
};

const text: FieldType<TextValue> = {
  id: 'string',
  groupBy: ['on_behalf_of_id', 'value'],
  description: 'Free text. Accepts no options.',
  choices: {},
  groupingValues: ({ value }, onBehalfOfId) => [onBehalfOfId, value],
};

const image: FieldType<ImageValue> = {
  id: 'image',
  groupBy: ['on_behalf_of_id', 'image_id'],
  description: 'Photos, uploaded with an upload token before their entry is stored. Accepts no options.',
  choices: {},
  groupingValues: ({ imageId }, onBehalfOfId) => [onBehalfOfId, imageId],
};

const signature: FieldType<SignatureValue> = {
  id: 'signature',
  groupBy: ['on_behalf_of_id'],
  description: 'Signatures as data URLs, one for each person, each with the role in which it was given, or null. Accepts no options.',
  choices: {},
  groupingValues: (_value, onBehalfOfId) => [onBehalfOfId],
};

/** Every type that a field can have, in the order of lists. */
const types: { readonly [T in FieldTypeId]: FieldType<ValueOf<T>> } = {
  weather,
  'employee-working-times': employeeWorkingTimes,
  subcontractors,
  activities,
  string: text,
  image,
  signature,
};

export const fieldTypes: readonly (typeof types)[FieldTypeId][] = Object.values(types);

/** The type of a field. Grouping values are computed by the type that the value names. */
export function fieldTypeOf<T extends FieldTypeId>(type: T): FieldType<ValueOf<T>> {
  return types[type];
}
