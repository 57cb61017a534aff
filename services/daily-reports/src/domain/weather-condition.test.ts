import { describe, expect, it } from '@jest/globals';
import { conditionOf } from './weather-condition.js';

describe('conditionOf', () => {
  it.each([
    ['clear sky', 0, 'sunny'],
    ['mainly clear', 1, 'sunny'],
    ['partly cloudy', 2, 'cloudy'],
    ['overcast', 3, 'cloudy'],
    ['fog', 45, 'cloudy'],
    ['fog that freezes', 48, 'cloudy'],
    ['drizzle', 51, 'precipitation'],
    ['rain', 63, 'precipitation'],
    ['rain that freezes', 67, 'precipitation'],
    ['snow', 73, 'snow'],
    ['grains of snow', 77, 'snow'],
    ['showers of rain', 81, 'precipitation'],
    ['showers of snow', 86, 'snow'],
    ['a thunderstorm', 95, 'precipitation'],
    ['a thunderstorm with hail', 99, 'precipitation'],
    ['dust', 7, null],
    ['rain that has just ended', 21, null],
    ['a code that is none', 100, null],
    ['nothing', null, null],
  ])('reads %s', (_, code, expected) => {
    expect(conditionOf(code)).toBe(expected);
  });
});
