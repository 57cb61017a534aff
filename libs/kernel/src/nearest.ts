/** Longer texts are not considered typos. */
const MAX_LENGTH = 64;

/**
 * Returns the choice that is so similar to a text that it was probably meant; undefined if there is none. Ignores case. A choice that differs
 * only after its colon is always more similar than one that differs before it.
 */
export function nearest(text: string, choices: Iterable<string>): string | undefined {
  if (text === '' || text.length > MAX_LENGTH) return undefined;
  const wanted = text.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const choice of choices) {
    const candidate = choice.toLowerCase();
    const distance = distanceOf(wanted, candidate, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [choice, distance];
  }
  return best;
}

/** Returns what is before the colon. */
function nameOf(choice: string): string {
  return choice.split(':', 1)[0] ?? '';
}

/** Returns the edit distance, or the limit if it is at least that; less than one if the names are equal, of which the first choice is the best. */
function distanceOf(wanted: string, candidate: string, limit: number): number {
  const name = nameOf(candidate);
  if (name === wanted) return 0;
  return name === nameOf(wanted) ? editDistance(wanted, candidate) / MAX_LENGTH ** 2 : distanceBelow(limit, wanted, candidate);
}

/** Returns the edit distance, or the limit if the lengths already differ by that much, which saves most comparisons. */
function distanceBelow(limit: number, a: string, b: string): number {
  return Math.abs(a.length - b.length) >= limit ? limit : editDistance(a, b);
}

/** Insertions, deletions and replacements of one character, and swaps of two neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
