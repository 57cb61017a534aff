/**
 * Returns `numerator / denominator`, rounded half up away from zero, computed exactly with integers (docs/rules/working-time.md#rounding):
 * −0.005 becomes −0.01. Never −0.
 *
 * @param numerator an integer, for example seconds
 * @param denominator a positive integer, for example 3600
 */
export function roundRatio(numerator: number, denominator: number, decimals: number): number {
  const factor = 10 ** decimals;
  const scaled = Math.abs(numerator) * factor;
  // A double cannot represent this many decimals, so there is nothing left to round.
  if (scaled > Number.MAX_SAFE_INTEGER) return numerator / denominator;
  const rest = scaled % denominator;
  const units = (scaled - rest) / denominator + (rest * 2 >= denominator ? 1 : 0);
  return units === 0 ? 0 : (Math.sign(numerator) * units) / factor;
}

/** Converts seconds to hours, rounded half up to `decimals` places (2 by default). */
export function roundedHours(seconds: number, decimals = 2): number {
  return roundRatio(seconds, 3600, decimals);
}

/** Rounds a number half up by its decimal notation, not by its binary value: 1.005 becomes 1.01. Never −0. */
export function roundHalfUp(value: number, decimals: number): number {
  if (Number.isInteger(value)) return value + 0;
  const units = Math.round(shift(Math.abs(value), decimals));
  return units === 0 ? 0 : Math.sign(value) * shift(units, -decimals);
}

/** Returns the sum of decimal numbers, to six places, without the errors of adding binary fractions. */
export function sumOfDecimals(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + Math.round(value * 1_000_000), 0) / 1_000_000;
}

/** Moves the decimal point in the decimal notation, which avoids binary errors. */
function shift(value: number, places: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${String(Number(exponent) + places)}`);
}

/** Formats a number with at most `decimals` places (2 by default) and no trailing zeros: 8, 7.5, 7.45. */
export function formatNumber(value: number, decimals = 2): string {
  return String(roundHalfUp(value, decimals));
}
