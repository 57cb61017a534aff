/** Longer texts are not considered typos. */
const MAX_LENGTH = 64;

/** Returns the choice that is so similar to a text that it was probably meant; undefined if there is none. Ignores case. */
export function nearest(text: string, choices: Iterable<string>): string | undefined {
  if (text === '' || text.length > MAX_LENGTH) return undefined;
  const wanted = text.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const choice of choices) {
    const candidate = choice.toLowerCase();
    const distance = candidate.split(':')[0] === wanted ? 0 : distanceBelow(bestDistance, wanted, candidate);
    if (distance < bestDistance) [best, bestDistance] = [choice, distance];
  }
  return best;
}

/** Returns the edit distance, or the limit if the lengths already differ by that much, which saves most comparisons. */
function distanceBelow(limit: number, a: string, b: string): number {
  return Math.abs(a.length - b.length) >= limit ? limit : editDistance(a, b);
}

/** Levenshtein distance: insertions, deletions and replacements of one character. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
