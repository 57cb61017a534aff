import { EventLoopBreaks } from '@stechuhr/kernel';
import type { Row } from '../row.js';
import type { Section } from './format.js';
import { MAX_BUFFERED, partsOf } from './run-parts.js';

/**
 * Large enough that the overhead per chunk is negligible, small enough that slow readers occupy little memory (bench case csv-formatter).
 */
const CHUNK_LENGTH = 64 * 1024;

/** A section of a file: a beginning, a text for each row and an end. */
export interface SectionText {
  readonly head: string;
  readonly line: (row: Row) => string;
  readonly tail: () => string;
}

/** Joins the rows of all sections into texts of about 64 Ki characters. */
export async function* joined(
  sections: readonly Section[],
  textOf: (section: Section, index: number) => SectionText,
): AsyncGenerator<string, void, undefined> {
  let text = '';
  let full: string[] = [];
  let buffered = 0;
  const isFull = (): boolean => buffered >= MAX_BUFFERED;
  const breaks = new EventLoopBreaks();
  for (const [index, section] of sections.entries()) {
    const { head, line, tail } = textOf(section, index);
    text += head;
    const add = (row: Row): void => {
      text += line(row);
      if (text.length < CHUNK_LENGTH) return;
      full.push(text);
      buffered += text.length;
      text = '';
    };
    for await (const run of section.runs) {
      for (const part of partsOf(run, isFull)) {
        part(add);
        if (full.length === 0) continue;
        yield* full;
        full = [];
        buffered = 0;
        if (breaks.isDue) await breaks.take();
      }
    }
    text += tail();
  }
  yield text;
}

/** Returns the text above the rows of a section in a text file: a blank line after the previous section, and the title. */
export function sectionHead({ title }: Section, index: number, newline: string, encode: (text: string) => string): string {
  return (index === 0 ? '' : newline) + (title === null ? '' : encode(title) + newline);
}
