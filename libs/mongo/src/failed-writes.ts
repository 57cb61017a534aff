const DUPLICATE_KEY = 11_000;

/** Whether a write failed because another document has the same value under a unique index. */
export function isDuplicateKey(caught: unknown): boolean {
  return caught instanceof Error && 'code' in caught && caught.code === DUPLICATE_KEY;
}
