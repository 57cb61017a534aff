import { describe, expect, it } from '@jest/globals';
import type { Line } from '../campaign.js';
import type { Series } from './observer.js';
import { judgeSoak, type SoakVerdict } from './verdict.js';

const MINUTE_MS = 60_000;

const round = (fields: Partial<Line> = {}): Line => ({
  ...{ group: 'soak', name: 'round 1: SIGKILL of tasks', acknowledged: 1_200, stored: 400 },
  ...{ lost: [], doubled: [], leftBehind: [], wrong: [] },
  ...{ unavailable: 0, slowestMs: 100, recoveryMs: 100, seconds: 60, ...fields },
});

/** Returns a series with one sample per minute of a single process. */
const series = (measure: Series['measure'], of: string, valueAt: (minute: number) => number, minutes = 28): Series => ({
  measure,
  of,
  samples: Array.from({ length: minutes }, (_, minute) => {
    const atMs = minute * MINUTE_MS;
    return { atMs, value: valueAt(minute), process: 1, ageMs: atMs };
  }),
});

const flat = series('heap', 'records', () => 40);

const judged = (rounds: readonly Line[], ...all: readonly Series[]): SoakVerdict => judgeSoak({ rounds, series: all });

describe('a soak', () => {
  it('passes if nothing is lost and nothing grows', () => {
    const { findings, sentences } = judged([round(), round()], flat);
    expect(findings).toEqual([]);
    expect(sentences).toEqual([
      '2,400 acknowledged writes and 800 records in 2 rounds: 0 lost, 0 doubled, 0 left behind, 0 wrong.',
      '1 of 1 series are flat.',
    ]);
  });

  it('reports a failed round', () => {
    expect(judged([round(), round({ name: 'round 2: kill of nats', lost: ['rule a'] })], flat).findings).toEqual([
      'round 2: kill of nats does not hold',
    ]);
  });

  it('reports a growing series with the growth', () => {
    const leak = series('files', 'gateway', (minute) => 30 + minute);
    expect(judged([round()], flat, leak).findings).toEqual([
      'open files at rest of gateway grows: by 15.0 in the run, by 15.0 at least; 6.0 are allowed',
    ]);
  });

  it('tolerates growth by design', () => {
    expect(
      judged(
        [round()],
        flat,
        series('stored', 'the platform', (minute) => minute * 900),
      ).findings,
    ).toEqual([]);
  });

  it('reports the number of undecided series', () => {
    const { findings, sentences } = judged(
      [round()],
      flat,
      series('heap', 'tasks', (minute) => minute * 50, 5),
    );
    expect(findings).toEqual([]);
    expect(sentences).toContain('1 series has too few samples of one process after its first minutes to be judged.');
  });

  it('fails if no series could be evaluated', () => {
    expect(
      judged(
        [round()],
        series('heap', 'tasks', () => 40, 5),
      ).findings,
    ).toEqual(['it was too short to judge anything that has to be flat']);
    expect(judged([]).findings).toContain('no round came to its end');
  });
});
