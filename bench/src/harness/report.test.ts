import { describe, expect, it } from '@jest/globals';
import { judge } from './judge.js';
import { describeCase, describeFailures, describeGoals } from './report.js';
import type { CaseResult } from './run-case.js';
import type { Case, Ratio } from './types.js';

const faster: Ratio = { goal: 'G10', measure: 'wallMs', of: 'ours', to: 'peer', target: 0.6, stretch: 0.4 };
const more: Ratio = { goal: 'G9', measure: 'rows', of: 'ours', to: 1, target: 1000, atLeast: true, note: 'rows in all' };

const given: Case = {
  name: 'sample',
  goals: ['G9', 'G10'],
  title: 'something compared with its peer',
  sizes: { quick: 1, full: 2 },
  variants: { peer: { module: new URL('file:///peer.js') }, ours: { module: new URL('file:///ours.js') } },
  ratios: [faster, more],
};

const runs = {
  peer: [{ wallMs: 1000 }, { wallMs: 1234 }, { wallMs: 2000 }],
  ours: [
    { wallMs: 500, rows: 1500 },
    { wallMs: 0.01234, rows: 1500 },
    { wallMs: 700, rows: 1500 },
  ],
};

const result: CaseResult = {
  case: given,
  size: 2,
  notes: ['on a Tuesday'],
  runs,
  judgements: [faster, more].map((ratio) => judge(ratio, runs)),
  problems: [],
};

describe('describeCase', () => {
  it('shows medians with minimum and maximum, and a dash for missing measures', () => {
    expect(describeCase(result)).toBe(
      [
        '### sample: something compared with its peer',
        '',
        'size 2; on a Tuesday',
        '',
        '| variant | wallMs | rows |',
        '| --- | --- | --- |',
        '| peer | 1234 (1000–2000) | – |',
        '| ours | 500 (0.0123–700) | 1500 (1500–1500) |',
      ].join('\n'),
    );
  });

  it('shows problems instead of numbers', () => {
    const failed = { ...result, problems: ['outputs differ: ours a, peer b'] };
    expect(describeCase(failed).split('\n').slice(-2)).toEqual(['', 'outputs differ: ours a, peer b']);
  });
});

describe('describeGoals', () => {
  it('lists goals by number with their targets', () => {
    expect(describeGoals([result], false).split('\n').slice(2)).toEqual([
      '| G9 | sample | rows of ours (rows in all) | 1500 | ≥ 1000 | – | met |',
      '| G10 | sample | wallMs of ours / peer | 0.405 | ≤ 0.6 | ≤ 0.4 | met |',
    ]);
  });

  it('does not evaluate a quick run', () => {
    const verdicts = describeGoals([result], true)
      .split('\n')
      .slice(2)
      .map((line) => line.split(' | ').at(-1));
    expect(verdicts).toEqual(['not judged |', 'not judged |']);
  });
});

describe('describeFailures', () => {
  const differing = { ...result, judgements: [], problems: ['outputs differ: ours a, peer b'] };
  const slow = { ...result, judgements: [judge({ ...faster, target: 0.1 }, runs)] };

  it('is empty without a failure', () => {
    expect(describeFailures([result], [], false)).toBe('');
  });

  it('names failed cases, then reasons that no table shows', () => {
    expect(describeFailures([result, differing], [{ name: 'other', reason: new Error('The socket was closed.') }], false)).toBe(
      ['failed: sample, other', 'sample: outputs differ: ours a, peer b', 'other: Error: The socket was closed.'].join('\n'),
    );
  });

  it('counts missed goals only if times are evaluated', () => {
    expect(describeFailures([slow], [], false)).toBe('failed: sample');
    expect(describeFailures([slow], [], true)).toBe('');
  });
});
