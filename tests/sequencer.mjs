import Sequencer from '@jest/test-sequencer';

/**
 * What takes longest, mostly because it waits: for messages that come back, for servers that were ended, for platforms of its own. Jest
 * learns the times of a checkout by itself; in a fresh one it would take the largest files first, and wait at the end for one of these.
 */
const LONG = [
  'services/worker/test/jobs',
  'tests/src/async-faults',
  'tests/src/deletion',
  'tests/src/fuzz/',
  'tests/src/helm/platform',
  'tests/src/resilience',
  'tests/src/bounds',
  'tests/src/observability',
  'tests/src/reviews',
  'libs/local-infra/test/covered-reads',
  'deploy/local/test/',
  'tests/src/',
];

/** @param {{ path: string, duration?: number | undefined }} test */
const rank = ({ path }) => {
  const at = LONG.findIndex((part) => path.includes(`/${part}`));
  return at === -1 ? LONG.length : at;
};

/** The long ones first where nothing is known of their times. */
export default class LongFirst extends Sequencer {
  /** @param {Parameters<Sequencer['sort']>[0]} tests */
  sort(tests) {
    const sorted = super.sort(tests);
    // It notes the times that it knows in the tests.
    return sorted.every(({ duration }) => duration === undefined) ? sorted.toSorted((a, b) => rank(a) - rank(b)) : sorted;
  }
}
