/**
 * `numerator / denominator` rounded half up away from zero, exact in integers (docs/rules/working-time.md#rounding): −0.005 gives −0.01.
 * Never −0.
 * @param numerator an integer, for example seconds
 * @param denominator a positive integer, for example 3600
 */
export function roundRatio(numerator: number, denominator: number, decimals: number): number {
  const factor = 10 ** decimals;
  const scaled = Math.abs(numerator) * factor;
  // So many decimals that a double cannot hold more: there is nothing left to round.
  if (scaled > Number.MAX_SAFE_INTEGER) return numerator / denominator;
  const rest = scaled % denominator;
  const units = (scaled - rest) / denominator + (rest * 2 >= denominator ? 1 : 0);
  return units === 0 ? 0 : (Math.sign(numerator) * units) / factor;
}

/** Seconds as hours, rounded half up to `decimals` places (2 by default). */
export function roundedHours(seconds: number, decimals = 2): number {
  return roundRatio(seconds, 3600, decimals);
}

/** A decimal number rounded half up as it is written, not as its binary neighbour: 1.005 gives 1.01. Never −0. */
export function roundHalfUp(value: number, decimals: number): number {
  if (Number.isInteger(value)) return value + 0;
  const units = Math.round(shift(Math.abs(value), decimals));
  return units === 0 ? 0 : Math.sign(value) * shift(units, -decimals);
}

/** The sum of decimal numbers, to six places: binary fractions of many numbers do not add up to it exactly. */
export function sumOfDecimals(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + Math.round(value * 1_000_000), 0) / 1_000_000;
}

/** Moves the decimal point in the written number, so that no binary error creeps in. */
function shift(value: number, places: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${String(Number(exponent) + places)}`);
}

/** A number with at most `decimals` places (2 by default) and no trailing zeros: 8, 7.5, 7.45. */
export function formatNumber(value: number, decimals = 2): string {
  return String(roundHalfUp(value, decimals));
}
