/** A page as a call asks for it. */
interface AskedPage {
  readonly limit: number;
  readonly offset: number;
}

/** Pages outside of the contract of all lists, and the fields that the refusal names. */
const pages: readonly (readonly [page: AskedPage, named: readonly string[]])[] = [
  [{ limit: 0, offset: 0 }, ['limit']],
  [{ limit: 1_001, offset: 0 }, ['limit']],
  [{ limit: 1, offset: -1 }, ['offset']],
  [{ limit: 4_294_967_295, offset: -1 }, ['limit', 'offset']],
];

/** What {@link judgeOutOfBounds} returns for a list that keeps the contract. */
export const OUT_OF_BOUNDS: readonly string[] = pages.map(([page, named]) => lineOf(page, `invalid ${named.join(' ')}`));

/** Asks a list for pages outside of the contract. @returns a line for each, with the code and fields of its error */
export async function judgeOutOfBounds(list: (page: AskedPage) => Promise<unknown>): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [page] of pages) {
    const outcome = await list(page).then(
      () => 'answered',
      (error: { readonly code?: string; readonly details?: object }) =>
        `${String(error.code)} ${Object.keys(error.details ?? {}).join(' ')}`,
    );
    lines.push(lineOf(page, outcome));
  }
  return lines;
}

function lineOf({ limit, offset }: AskedPage, outcome: string): string {
  return `${String(limit)} from ${String(offset)}: ${outcome}`;
}
