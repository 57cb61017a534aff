/** Levels of arrays and objects in JSON that clients send: enough for everything that is valid, and far from the end of any stack. */
export const MAX_NESTING = 16;

/** Whether a JSON value has more levels than are worth a recursion; found without one. */
export function isNestedTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MAX_NESTING; depth += 1) {
    level = level.flatMap((inner) => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
    if (level.length === 0) return false;
  }
  return true;
}
