import Sequencer from '@jest/test-sequencer';

/**
 * The slowest suites, most of which wait: for redelivered messages, for servers that were ended, for their own platforms. Jest knows durations from
 * earlier runs; without any, it would start with the largest files, and wait for one of these at the end.
 */
const LONG = [
  'tests/src/complete',
  'services/worker/test/jobs',
  'tests/src/async-faults',
  'tests/src/deletion',
  'tests/src/fuzz/',
  'tests/src/helm/platform',
  'tests/src/traced',
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

/** Starts with the slow suites if no durations are known. */
export default class LongFirst extends Sequencer {
  /** @param {Parameters<Sequencer['sort']>[0]} tests */
  sort(tests) {
    const sorted = super.sort(tests);
    // Jest stores known durations in the tests.
    return sorted.every(({ duration }) => duration === undefined) ? sorted.toSorted((a, b) => rank(a) - rank(b)) : sorted;
  }
}
