import type { z } from 'zod';

/** The number of problems that are listed for a line. */
export const MAX_NAMED = 20;

/** Returns the problems that a schema found, each as a sentence that begins with the field: `planned_minutes[2] must be …`. */
export function problemsOf(error: z.ZodError): readonly string[] {
  return error.issues.map(({ path, message }) => `${fieldName(path)} ${message}.`);
}

/** Joins several problems to one text; of very many, only the first ones are listed. */
export function joinedProblems(problems: readonly string[]): string {
  const more = problems.length - MAX_NAMED;
  const named = more > 0 ? [...problems.slice(0, MAX_NAMED), `There are ${String(more)} more problems.`] : problems;
  return named.join(' ');
}

/** Returns the path of a nested field as messages show it: `entitlements[0].amount`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${String(key)}]` : `${index === 0 ? '' : '.'}${String(key)}`)).join('');
}
