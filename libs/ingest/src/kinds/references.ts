import type { Kind, Reference } from './kind.js';
import type { Change } from './change.js';

/** Everything that a change refers to, its institution included; a deletion refers to nothing. */
export function referencesOf({ identity }: Pick<Kind, 'identity'>, { institutionId, content }: Change): readonly Reference[] {
  if (content === null) return [];
  if (identity === 'institution') return content.references;
  return [{ field: 'institution_id', kind: 'institution', id: institutionId }, ...content.references];
}

/** Why a line with this reference is not accepted while nothing has that id. */
export function describeMissing({ field, kind, id }: Reference): string {
  if (kind === 'institution') return `${field} names no institution: ${id}.`;
  return `${field} names no ${kind.replaceAll('_', ' ')} of the institution: ${id}.`;
}
