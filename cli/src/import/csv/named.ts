import { CellProblem } from './cells.js';

/** Records by their names, which need not be unique. */
export type Named<T> = ReadonlyMap<string, readonly T[]>;

/** Groups records by name. Records without a name are left out. */
export function byName<T>(records: readonly T[], nameOf: (record: T) => string | undefined): Named<T> {
  const found = new Map<string, T[]>();
  for (const record of records) {
    const name = composed(nameOf(record) ?? '');
    if (name === '') continue;
    const others = found.get(name);
    if (others === undefined) found.set(name, [record]);
    else others.push(record);
  }
  return found;
}

/**
 * The only record with that name.
 * @throws CellProblem if there is none, or more than one
 */
export function uniqueRecord<T>(records: Named<T>, name: string, what: { readonly one: string; readonly many: string }): T {
  const found = records.get(composed(name)) ?? [];
  const [first] = found;
  if (first === undefined) throw new CellProblem(`is no ${what.one} of the institution`);
  if (found.length > 1) throw new CellProblem(`is the ${what.one} of ${String(found.length)} ${what.many}`);
  return first;
}

/** A name as it is compared: macOS writes `ü` as `u` and U+0308, which looks the same. */
function composed(name: string): string {
  return name.normalize('NFC');
}
