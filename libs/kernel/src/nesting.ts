/** Maximum nesting of arrays and objects in JSON from clients: enough for all valid requests, and far below any stack limit. */
export const MAX_NESTING = 16;

/** Whether a JSON value is nested deeper than {@link MAX_NESTING}. Does not use recursion itself. */
export function isNestedTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MAX_NESTING; depth += 1) {
    level = level.flatMap((inner) => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
    if (level.length === 0) return false;
  }
  return true;
}
