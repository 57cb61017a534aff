import { describe, expect, it } from '@jest/globals';
import { differences, isNoisy, judge } from './judge.js';
import type { Ratio } from './types.js';

const ratio = (fields: Partial<Ratio>): Ratio => ({ goal: 'G0', measure: 'wallMs', of: 'ours', to: 'peer', target: 0.5, ...fields });
const wall = (...values: number[]) => values.map((wallMs) => ({ wallMs }));

describe('judge', () => {
  it.each([
    ['a reached stretch goal', ratio({ stretch: 0.4 }), [40], 'stretch', 0.4],
    ['a reached target', ratio({ stretch: 0.4 }), [50], 'met', 0.5],
    ['an almost reached target', ratio({}), [62.5], 'near', 0.625],
    ['a missed target', ratio({}), [63], 'missed', 0.63],
    ['the median despite outliers', ratio({}), [1, 45, 900], 'met', 0.45],
    ['a reached lower limit', ratio({ target: 2, atLeast: true }), [200], 'met', 2],
    ['a reached stretch goal of a lower limit', ratio({ target: 2, stretch: 3, atLeast: true }), [300], 'stretch', 3],
    ['an almost reached lower limit', ratio({ target: 2, atLeast: true }), [160], 'near', 1.6],
    ['a missed lower limit', ratio({ target: 2, atLeast: true }), [159], 'missed', 1.59],
    ['0 with a limit of 0', ratio({ to: 1, target: 0 }), [0], 'met', 0],
    ['1 with a limit of 0', ratio({ to: 1, target: 0 }), [1], 'missed', 1],
    ['an absolute limit', ratio({ to: 150, target: 1, stretch: 0.5 }), [120], 'met', 0.8],
  ] as const)('recognises %s', (...[, given, ours, verdict, value]) => {
    expect(judge(given, { ours: wall(...ours), peer: wall(90, 100, 1000) })).toMatchObject({ verdict, value });
  });

  it('uses the mean of the two middle values for an even number of rounds', () => {
    expect(judge(ratio({ to: 1 }), { ours: wall(1, 2, 4, 100) }).value).toBe(3);
  });

  it('rejects a goal whose measure is missing', () => {
    expect(() => judge(ratio({ measure: 'p50Ms' }), { ours: wall(1), peer: wall(1) })).toThrow('peer did not measure p50Ms');
  });
});

describe('isNoisy', () => {
  it.each([
    [[100, 160], [100, 100], false],
    [[100, 161], [100, 100], true],
    [[100, 100], [100, 161], true],
  ])('with runs %j and %j returns %s', (ours, peer, expected) => {
    const runs = { ours: wall(...ours), peer: wall(...peer) };
    expect(isNoisy(judge(ratio({}), runs), runs)).toBe(expected);
  });
});

describe('differences', () => {
  it('reports nothing for equal outputs', () => {
    expect(differences([['a', 'b'], ['c']], { a: '1', b: '1', c: '2' })).toEqual([]);
  });

  it('reports different outputs and variants without a digest', () => {
    expect(
      differences(
        [
          ['a', 'b'],
          ['a', 'c'],
          ['c', 'd'],
        ],
        { a: '1', b: '2' },
      ),
    ).toEqual(['outputs differ: a 1, b 2', 'outputs differ: a 1, c gave no digest', 'outputs differ: c gave no digest, d gave no digest']);
  });
});
