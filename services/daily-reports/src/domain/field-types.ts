import type { FieldTypeId, ValueOf } from '../entry-value.js';
import { activities } from './activities.js';
import { employeeWorkingTimes } from './employee-working-times.js';
import type { FieldType } from './field-type.js';
import { image } from './image.js';
import { signature } from './signature.js';
import { subcontractors } from './subcontractors.js';
import { text } from './text.js';
import { weather } from './weather.js';

/** Every type that a field can have, in the order in which they are listed. */
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

/** Grouping values of a value come from the type that the value names. */
export function fieldTypeOf<T extends FieldTypeId>(type: T): FieldType<ValueOf<T>> {
  return types[type];
}
