import type { ReferenceEntry } from '../reference.js';
import { dateModifiers } from './date-modifiers.js';
import type { Modifier } from './modifier.js';
import { numberModifiers } from './number-modifiers.js';
import { textModifiers } from './text-modifiers.js';

/** The modifier that sets the header of a column instead of changing its cells. */
export const HEADER_MODIFIER = 'as';

/** Modifiers that change cells, by name. */
export const modifiers: ReadonlyMap<string, Modifier> = new Map(
  [...numberModifiers, ...dateModifiers, ...textModifiers].map((modifier) => [modifier.id, modifier]),
);

/** All modifiers, for the reference page. */
export const modifierReference: readonly ReferenceEntry[] = [
  ...modifiers.values(),
  {
    id: HEADER_MODIFIER,
    title: 'Überschrift',
    description: 'Überschrift der Spalte, in JSON der Name des Feldes.',
    example: 'columns=value:as>Stunden',
  },
];
