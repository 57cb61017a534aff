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
  /** The German label. */
  readonly label: string;
}

/** A type that fields of a form can have. */
export interface FieldType<V extends EntryValue = EntryValue> {
  readonly id: FieldTypeId & V['type'];
  /** The fields, in addition to date and project, that entries must share to be versions of one value. */
  readonly groupBy: readonly string[];
  readonly description: string;
  /** The lists of allowed values by name. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** Returns one value for each name of `groupBy`. */
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

/** All types, in the order in which they are listed. */
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

/** Returns the type of a value. */
export function fieldTypeOf<T extends FieldTypeId>(type: T): FieldType<ValueOf<T>> {
  return types[type];
}
