import type { EntryValue, FieldTypeId } from '../entry-value.js';

export interface Choice {
  readonly id: string;
  /** In German. */
  readonly label: string;
}

/** One type that a field of a form can have. */
export interface FieldType<V extends EntryValue = EntryValue> {
  readonly id: FieldTypeId & V['type'];
  /** Behind date and project: what entries must share to be versions of one value. */
  readonly groupBy: readonly string[];
  readonly description: string;
  /** Lists of fixed values by name. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** One for each name of `groupBy`. */
  groupingValues(value: V, onBehalfOfId: string | null): readonly (string | null)[];
}
