import { parseRational, printClock, printFixed, roundTo, times, type Rational, type Rounding } from '../rational.js';
import { counted, parsed, plain, type Modifier, type StageChange } from './modifier.js';
import { DEFAULT_DECIMALS, numberStage, type NumberStage, type Stage, type TextStage } from './stage.js';

const MAX_DECIMALS = 6;

/** Creates a change from numbers to numbers. */
function calculated(calculate: (value: Rational) => Rational, decimalsOf: (decimals: number) => number): StageChange {
  return (stage) => {
    if (stage.kind !== 'number') return undefined;
    const { read } = stage;
    return numberStage((row) => {
      const value = read(row);
      return value === null ? null : calculate(value);
    }, decimalsOf(stage.decimals));
  };
}

function rounded(rounding: Rounding): (decimals: number) => StageChange {
  return (decimals) => {
    const steps = 10n ** BigInt(decimals);
    return calculated(
      (value) => roundTo(value, steps, rounding),
      () => decimals,
    );
  };
}

/** A product may have more decimals, so at least the usual two are printed. */
function multiplied(factor: Rational): StageChange {
  return calculated(
    (value) => times(value, factor),
    (decimals) => Math.max(decimals, DEFAULT_DECIMALS),
  );
}

const keepDecimals = (decimals: number): number => decimals;

/** Converts numbers to texts; empty cells stay empty. */
function printed(stage: NumberStage, print: (value: Rational) => string, printedNumber: boolean): TextStage {
  return {
    kind: 'text',
    printedNumber,
    isSigned: true,
    read: (row) => {
      const value = stage.read(row);
      return value === null ? '' : print(value);
    },
  };
}

function toComma(stage: Stage): TextStage | undefined {
  const isNumber = stage.kind === 'number' || (stage.kind === 'text' && stage.printedNumber);
  if (!isNumber) return undefined;
  const print = stage.kind === 'number' ? stage.print : stage.read;
  return { kind: 'text', printedNumber: false, isSigned: true, read: (row) => print(row).replace('.', ',') };
}

/** Modifiers of numbers. They apply to the exact value, from left to right. */
export const numberModifiers: readonly Modifier[] = [
  counted(
    'round',
    [0, MAX_DECIMALS],
    { title: 'Runden', description: 'Kaufmännisch auf N Stellen.', example: 'columns=last-name|value:round>1' },
    rounded('half-up'),
  ),
  counted(
    'floor',
    [0, MAX_DECIMALS],
    { title: 'Abrunden', description: 'Auf N Stellen abwärts.', example: 'columns=last-name|value:floor>0' },
    rounded('floor'),
  ),
  counted(
    'ceil',
    [0, MAX_DECIMALS],
    { title: 'Aufrunden', description: 'Auf N Stellen aufwärts.', example: 'columns=last-name|value:ceil>0' },
    rounded('ceil'),
  ),
  plain(
    'quarter',
    {
      title: 'Viertel',
      description: 'Auf das nächste Viertel, bei Stunden also auf 15 Minuten.',
      example: 'columns=last-name|value:quarter',
    },
    calculated(
      (value) => roundTo(value, 4n, 'half-up'),
      () => DEFAULT_DECIMALS,
    ),
  ),
  plain(
    'abs',
    { title: 'Betrag', description: 'Ohne Vorzeichen.', example: 'columns=last-name|value:abs&types=balance:hours' },
    calculated(({ n, d }) => ({ n: n < 0n ? -n : n, d }), keepDecimals),
  ),
  plain(
    'negate',
    {
      title: 'Vorzeichen umkehren',
      description: 'Mit umgekehrtem Vorzeichen.',
      example: 'columns=last-name|value:negate&types=balance:hours',
    },
    calculated(({ n, d }) => ({ n: -n, d }), keepDecimals),
  ),
  parsed(
    'factor',
    { parse: parseRational, expected: 'a decimal number such as 1.25' },
    { title: 'Faktor', description: 'Mal einer Dezimalzahl mit Punkt.', example: 'columns=last-name|value:factor>1.25' },
    multiplied,
  ),
  plain(
    'minutes',
    { title: 'Minuten', description: 'Stunden als Minuten (mal 60).', example: 'columns=last-name|value:minutes' },
    multiplied({ n: 60n, d: 1n }),
  ),
  plain(
    'seconds',
    { title: 'Sekunden', description: 'Stunden als Sekunden (mal 3600).', example: 'columns=last-name|value:seconds' },
    multiplied({ n: 3600n, d: 1n }),
  ),
  plain('comma', { title: 'Dezimalkomma', description: 'Text mit Dezimalkomma.', example: 'columns=last-name|value:comma' }, toComma),
  counted(
    'fixed',
    [0, MAX_DECIMALS],
    { title: 'Feste Stellen', description: 'Text mit genau N Nachkommastellen.', example: 'columns=last-name|value:fixed>2' },
    (decimals) => (stage, point) =>
      stage.kind === 'number' ? printed(stage, (value) => printFixed(value, decimals).replace('.', point), true) : undefined,
  ),
  plain(
    'hhmm',
    { title: 'Stunden:Minuten', description: 'Stunden als Text H:MM, auf die Minute gerundet.', example: 'columns=last-name|value:hhmm' },
    (stage) => (stage.kind === 'number' ? printed(stage, printClock, false) : undefined),
  ),
];
