import type { z } from 'zod';

/** The first problem that a schema found, as one sentence that begins with the field: `planned_minutes[2] must be …`. */
export function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'The line is not acceptable.';
  return `${fieldName(issue.path)} ${issue.message}.`;
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${String(key)}]` : `${index === 0 ? '' : '.'}${String(key)}`)).join('');
}
