/**
 * A text of somebody else inside a message: as it is, or its start and an ellipsis.
 *
 * The result is always Unicode. Half of a surrogate pair, which cutting or a JSON escape leaves, is none: strict JSON parsers refuse a whole
 * answer for it.
 */
export function cutText(text: string, max: number): string {
  const wellFormed = text.toWellFormed();
  if (wellFormed.length <= max) return wellFormed;
  const start = wellFormed.slice(0, max);
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`;
}
