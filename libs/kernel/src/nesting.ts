/** Maximum nesting of JSON from clients: sufficient for all valid input, and far below any stack limit. */
export const MAX_NESTING = 16;

/** Whether a JSON value is nested too deeply to be processed recursively; determined without recursion. */
export function isNestedTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MAX_NESTING; depth += 1) {
    level = level.flatMap((inner) => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
    if (level.length === 0) return false;
  }
  return true;
}
