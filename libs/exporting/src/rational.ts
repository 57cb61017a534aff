/** An exact number; `d` is positive. Modifiers calculate with rationals, so that values are only rounded where the client requests it. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

/** How excess decimals are rounded. `half-up` rounds away from zero (−0.005 becomes −0.01). */
export type Rounding = 'half-up' | 'floor' | 'ceil';

/** Creates a rational from two integers. */
export function rational(numerator: number, denominator: number): Rational {
  return { n: BigInt(numerator), d: BigInt(denominator) };
}

/** Returns the product of two rationals. It is not reduced, because chains of modifiers are short. */
export function times(value: Rational, factor: Rational): Rational {
  return { n: value.n * factor.n, d: value.d * factor.d };
}

/** Rounds to a multiple of 1/`steps`. */
export function roundTo(value: Rational, steps: bigint, rounding: Rounding): Rational {
  return { n: roundedUnits(value, steps, rounding), d: steps };
}

/** Returns a value in units of 1/`steps`, rounded to an integer. */
function roundedUnits({ n, d }: Rational, steps: bigint, rounding: Rounding): bigint {
  const scaled = n * steps;
  const cut = scaled / d;
  const rest = scaled % d;
  if (rest === 0n) return cut;
  if (rounding === 'floor') return rest < 0n ? cut - 1n : cut;
  if (rounding === 'ceil') return rest > 0n ? cut + 1n : cut;
  const away = rest < 0n ? -1n : 1n;
  return rest * away * 2n >= d ? cut + away : cut;
}

/** Prints a value with exactly `decimals` places, rounded half up; never -0. */
export function printFixed(value: Rational, decimals: number): string {
  const units = roundedUnits(value, 10n ** BigInt(decimals), 'half-up');
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const sign = units < 0n ? '-' : '';
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** Prints a value with at most `decimals` places and no trailing zeros, rounded half up: 8, 7.5. */
export function printShort(value: Rational, decimals: number): string {
  const text = printFixed(value, decimals);
  return decimals === 0 ? text : text.replace(/\.?0+$/, '');
}

/** Prints hours as H:MM, rounded half up to the minute, with a leading minus if negative. */
export function printClock(hours: Rational): string {
  const minutes = roundedUnits(hours, 60n, 'half-up');
  const size = minutes < 0n ? -minutes : minutes;
  return `${minutes < 0n ? '-' : ''}${String(size / 60n)}:${String(size % 60n).padStart(2, '0')}`;
}

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/;

/** Parses a decimal number such as -1.25; undefined for anything else. */
export function parseRational(text: string): Rational | undefined {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  return whole === undefined ? undefined : { n: BigInt(sign + whole + fraction), d: 10n ** BigInt(fraction.length) };
}
