import { counted, parsed, plain, type Modifier, type StageChange } from './modifier.js';
import { isSigned, printerOf, type Point, type Stage } from './stage.js';

const MAX_WIDTH = 1000;

/** Creates a change of printed cells, whose result is text. Empty cells stay empty. */
function rewritten(rewrite: (text: string) => string): StageChange {
  return (stage, point) => {
    const print = printerOf(stage, point);
    return {
      kind: 'text',
      printedNumber: false,
      isSigned: isSigned(stage),
      read: (row) => {
        const text = print(row);
        return text === '' ? '' : rewrite(text);
      },
    };
  };
}

/** Pads with zeros, inserted after the minus of a number. */
function padded(width: number): StageChange {
  return (stage, point) => {
    const isNumber = stage.kind === 'number' || (stage.kind === 'text' && stage.printedNumber);
    const hasSign = isSigned(stage);
    const pad = (text: string): string => {
      const sign = hasSign && text.startsWith('-') ? '-' : '';
      return sign + '0'.repeat(Math.max(0, width - charactersOf(text).length)) + text.slice(sign.length);
    };
    const stageAfter = rewritten(pad)(stage, point);
    return stageAfter?.kind === 'text' ? { ...stageAfter, printedNumber: isNumber } : undefined;
  };
}

/** Returns the characters of a text: neither UTF-16 units, nor letters and their marks apart, as macOS writes them. */
function charactersOf(text: string): readonly string[] {
  return [...text.normalize('NFC')];
}

function cut(length: number): StageChange {
  const change = rewritten((text) => (text.length <= length ? text : charactersOf(text).slice(0, length).join('')));
  return (stage, point) => (stage.kind === 'number' ? undefined : change(stage, point));
}

function withDefault(replacement: string): StageChange {
  return (stage: Stage, point: Point) => {
    const print = printerOf(stage, point);
    return { kind: 'text', printedNumber: false, isSigned: isSigned(stage), read: (row) => print(row) || replacement };
  };
}

const trimmed = rewritten((text) => text.trim());

/** Modifiers of texts; numbers and dates are printed first. */
export const textModifiers: readonly Modifier[] = [
  plain(
    'upper',
    { title: 'Großbuchstaben', description: 'In Großbuchstaben.', example: 'columns=last-name:upper' },
    rewritten((text) => text.toUpperCase()),
  ),
  plain(
    'lower',
    { title: 'Kleinbuchstaben', description: 'In Kleinbuchstaben.', example: 'columns=last-name|email:lower' },
    rewritten((text) => text.toLowerCase()),
  ),
  plain(
    'trim',
    {
      title: 'Ränder kürzen',
      description: 'Ohne Leerzeichen am Anfang und Ende.',
      example: 'columns=last-name|comment:trim&types=timespan:hours',
    },
    (stage, point) => (stage.kind === 'number' ? stage : trimmed(stage, point)),
  ),
  counted(
    'max',
    [1, MAX_WIDTH],
    { title: 'Höchstlänge', description: 'Texte auf N Zeichen gekürzt.', example: 'columns=last-name|comment:max>20&types=timespan:hours' },
    cut,
  ),
  counted(
    'pad',
    [1, MAX_WIDTH],
    { title: 'Auffüllen', description: 'Links mit Nullen auf N Zeichen.', example: 'columns=last-name|accounting-number:pad>8' },
    padded,
  ),
  parsed(
    'default',
    { parse: (text) => (text === '' ? undefined : text), expected: 'a text' },
    { title: 'Vorgabe', description: 'Dieser Text statt einer leeren Zelle.', example: 'columns=last-name|email:default>-' },
    withDefault,
  ),
];
