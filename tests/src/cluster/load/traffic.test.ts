import { describe, expect, it } from '@jest/globals';
import { bearable } from './traffic.js';

describe('bearable', () => {
  it.each([
    { busy: 0.05, perSecond: 30 },
    { busy: 0.65, perSecond: 30 },
    { busy: 0.78, perSecond: 25 },
    { busy: 0.975, perSecond: 20 },
    { busy: 1, perSecond: 19 },
  ])('is $perSecond requests a second on a machine that thirty keep busy for $busy of its time', ({ busy, perSecond }) => {
    expect(bearable(busy)).toBe(perSecond);
  });
});
