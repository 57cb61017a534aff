/**
 * How many institutions a process names in its metrics. Each of them has a series for each status class as long as the process runs: 100,000
 * institutions would take 100 MB of its heap, and more than a second of each scrape.
 */
const MOST_NAMED = 5_000;
const OTHERS = 'others';

/** Creates a function that returns the metric label of an institution: its id, or `others` if the process already names many. */
export function createInstitutionLabel(most = MOST_NAMED): (institutionId: string) => string {
  const named = new Set<string>();
  return (institutionId) => {
    if (named.size < most) named.add(institutionId);
    return named.has(institutionId) ? institutionId : OTHERS;
  };
}
