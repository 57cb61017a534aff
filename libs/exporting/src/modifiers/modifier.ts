import type { ReferenceEntry } from '../reference.js';
import type { Point, Stage } from './stage.js';

/** Applies a modifier to the cells of a column; undefined if it does not apply to their kind. */
export type StageChange = (stage: Stage, point: Point) => Stage | undefined;

/** A modifier of a column, as in `value:round>1`. */
export interface Modifier extends ReferenceEntry {
  /** Compiles the modifier with its argument (null if there is none); a returned string describes a problem. */
  compile(argument: string | null): StageChange | string;
}

type Texts = Omit<ReferenceEntry, 'id'>;

/** Creates a modifier without an argument. */
export function plain(id: string, texts: Texts, change: StageChange): Modifier {
  return { id, ...texts, compile: (argument) => (argument === null ? change : `"${id}" takes no value.`) };
}

/** Creates a modifier whose argument is a whole number. */
export function counted(id: string, range: readonly [number, number], texts: Texts, change: (count: number) => StageChange): Modifier {
  const [min, max] = range;
  return {
    id,
    ...texts,
    compile: (argument) => {
      const count = argument !== null && /^\d{1,4}$/.test(argument) ? Number(argument) : -1;
      if (count < min || count > max) return `"${id}" needs a whole number from ${String(min)} to ${String(max)}.`;
      return change(count);
    },
  };
}

/** Creates a modifier whose argument is parsed by `parse`; `expected` completes "needs …". */
export function parsed<T>(
  id: string,
  argument: { readonly parse: (text: string) => T | undefined; readonly expected: string },
  texts: Texts,
  change: (value: T) => StageChange,
): Modifier {
  return {
    id,
    ...texts,
    compile: (text) => {
      const value = text === null ? undefined : argument.parse(text);
      return value === undefined ? `"${id}" needs ${argument.expected}.` : change(value);
    },
  };
}
