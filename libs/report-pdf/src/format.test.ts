import { describe, expect, it } from '@jest/globals';
import { germanDay, germanMoment, germanNumber, germanPlace, germanTemperature, orDash } from './format.js';

describe('German formats', () => {
  it('writes days and moments', () => {
    expect(germanDay('2026-10-21')).toBe('Mittwoch, 21.10.2026');
    expect(germanDay('2024-02-29')).toBe('Donnerstag, 29.02.2024');
    expect(germanMoment('2026-03-01T07:05:59')).toBe('01.03.2026, 07:05\u00a0Uhr');
  });

  it.each([
    [8, 2, '8,00'],
    [7.256, 2, '7,26'],
    [24.5, 0, '24,5'],
    [24, 0, '24'],
    [-1.5, 0, '–1,5'],
    [-0.001, 0, '0'],
    [1234.5, 2, '1234,50'],
    [1.005, 2, '1,01'],
    [-0.005, 0, '–0,01'],
    [0.0049, 2, '0,00'],
    [1_000_000, 2, '1000000,00'],
  ])('writes %d with %d decimals as %s', (value, digits, text) => {
    expect(germanNumber(value, digits)).toBe(text);
  });

  it('writes temperatures and places', () => {
    expect(germanTemperature(-12.5)).toBe('–12,5\u00a0°C');
    expect(germanPlace(48.13743, 11.5)).toBe('48,13743°\u00a0N, 11,50000°\u00a0O');
    expect(germanPlace(-33.86, -70.1)).toBe('33,86000°\u00a0S, 70,10000°\u00a0W');
  });

  it('writes a dash for missing texts', () => {
    expect([orDash(null), orDash(' \n'), orDash('x')]).toEqual(['–', '–', 'x']);
  });
});
