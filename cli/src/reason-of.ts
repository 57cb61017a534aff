/** Why something failed. The messages of fetch say only "fetch failed" or "terminated"; the reason is in their cause. */
export function reasonOf(caught: unknown): string {
  if (!(caught instanceof Error)) return String(caught);
  return caught.cause instanceof Error ? caught.cause.message || caught.message : caught.message;
}
