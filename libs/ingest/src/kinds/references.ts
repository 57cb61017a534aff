import type { Kind, Reference } from './kind.js';
import type { Change } from './change.js';

/** Returns everything that a change references, including its institution; a deletion references nothing. */
export function referencesOf({ identity }: Pick<Kind, 'identity'>, { institutionId, content }: Change): readonly Reference[] {
  if (content === null) return [];
  if (identity === 'institution') return content.references;
  return [{ field: 'institution_id', kind: 'institution', id: institutionId }, ...content.references];
}

/** Returns the message for a reference to a record that does not exist. */
export function describeMissing({ field, kind, id }: Reference): string {
  if (kind === 'institution') return `${field} names no institution: ${id}.`;
  return `${field} names no ${kind.replaceAll('_', ' ')} of the institution: ${id}.`;
}
