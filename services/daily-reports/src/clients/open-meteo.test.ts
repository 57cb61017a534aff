import { describe, expect, it } from '@jest/globals';
import { placeOf } from './open-meteo.js';

describe('placeOf', () => {
  it.each([
    ['Musterstraße 1, 80331 München', '80331'],
    ['Gewerbepark 12345, 01067 Dresden', '01067'],
    ['Hauptstraße 5, Bad Tölz', 'Bad Tölz'],
    ['Bauhof\nKiel,', 'Kiel'],
    ['Tor 123456, Ulm', 'Ulm'],
    ['Hamburg', 'Hamburg'],
    [' , ', undefined],
    ['', undefined],
  ])('finds the place in "%s"', (address, expected) => {
    expect(placeOf(address)).toBe(expected);
  });
});
