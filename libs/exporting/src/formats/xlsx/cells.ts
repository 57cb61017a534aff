import { offsetAt, type EpochDay, type EpochSecond } from '@stechuhr/worktime';
import type { ChosenColumn } from '../../columns/choose-columns.js';
import type { Stage } from '../../modifiers/stage.js';
import type { Block, Row } from '../../row.js';
import { ByteBuffer } from './byte-buffer.js';
import { writeTextElement } from './escape.js';
import { amountStyle, styles } from './parts.js';

/** Where the cells of a row are written to. */
export interface CellTarget {
  readonly buffer: ByteBuffer;
  /** The row number, as used in references. */
  readonly number: string;
}

/** Writes the cell of a row in one column; empty cells are omitted. */
export type CellWriter = (row: Row, target: CellTarget) => void;

const DAY_SECONDS = 86_400;
/** Day 0 of spreadsheets is 30 December 1899; before 1 March 1900, programs disagree because of a leap day that did not exist. */
const SERIAL_OF_EPOCH = 25_569;
const FIRST_SERIAL = 61;
const LAST_SERIAL = 2_958_465;

const NUMBER = Buffer.from('"><v>');
const DAY = styled(styles.day);
const MOMENT = styled(styles.moment);
const TIME = styled(styles.time);
const VALUE_END = Buffer.from('</v></c>');
const TEXT = Buffer.from('" t="inlineStr"><is>');
const HEADER = Buffer.from(`" s="${String(styles.header)}" t="inlineStr"><is>`);
const TEXT_END = Buffer.from('</is></c>');

function styled(style: number): Uint8Array {
  return Buffer.from(`" s="${String(style)}"><v>`);
}

/** Returns the name of a column: A to Z, AA to ZZ, … */
export function columnName(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26);
}

/** Returns the beginning of a cell, up to the row number of its reference. */
function referenceOf(index: number): Uint8Array {
  return Buffer.from(`<c r="${columnName(index)}`);
}

/** Writes the header of a column. */
export function writeHeader(header: string, index: number, { buffer, number }: CellTarget): void {
  writeTextElement(buffer.bytes(referenceOf(index)).text(number).bytes(HEADER), header).bytes(TEXT_END);
}

/** Creates the writer for the cells of a column: numbers, dates and times are typed, unless a modifier converted them to text. */
export function cellWriter({ stage, cell, constant, isAmount }: ChosenColumn, index: number, hasGermanNumbers: boolean): CellWriter {
  const reference = referenceOf(index);
  const number = hasGermanNumbers && isAmount && stage.kind === 'number' ? styled(amountStyle(stage.decimals)) : NUMBER;
  const write = writerOf(stage, cell, { reference, number });
  return constant ? oncePerBlock(write, reference) : write;
}

/** The constant bytes at the beginning of a column's cells. */
interface CellStart {
  readonly reference: Uint8Array;
  /** Follows the row number of a numeric cell. */
  readonly number: Uint8Array;
}

function writerOf(stage: Stage, cell: ChosenColumn['cell'], { reference, number: numberStart }: CellStart): CellWriter {
  /** Uses inline strings: a table of shared strings would have to be kept in memory until the end. */
  const writeText: CellWriter = (row, { buffer, number }) => {
    const text = cell(row);
    if (text !== '') writeTextElement(buffer.bytes(reference).text(number).bytes(TEXT), text).bytes(TEXT_END);
  };
  switch (stage.kind) {
    case 'text':
      return writeText;
    case 'number':
      return (row, { buffer, number }) => {
        const text = cell(row);
        if (text !== '') buffer.bytes(reference).text(number).bytes(numberStart).text(text).bytes(VALUE_END);
      };
    case 'day':
      return (row, target) => {
        const day = stage.read(row);
        if (day === null || !hasSerial(day)) return writeText(row, target);
        target.buffer.bytes(reference).text(target.number).bytes(DAY).text(serialOf(day)).bytes(VALUE_END);
      };
    case 'moment': {
      const writeSerial = stage.form === 'time' ? writeTime : writeMoment;
      return (row, { buffer, number }) => {
        const moment = stage.read(row);
        if (moment !== null) writeSerial(buffer.bytes(reference).text(number), moment + offsetAt(moment)).bytes(VALUE_END);
      };
    }
  }
}

/** Caches the bytes after the row number for all rows of a block. */
function oncePerBlock(write: CellWriter, reference: Uint8Array): CellWriter {
  const own: CellTarget = { buffer: new ByteBuffer(), number: '' };
  let block: Block | undefined;
  let rest: Uint8Array = own.buffer.view;
  return (row, { buffer, number }) => {
    if (row.block !== block) {
      block = row.block;
      own.buffer.clear();
      write(row, own);
      rest = own.buffer.view.subarray(reference.length);
    }
    if (rest.length > 0) buffer.bytes(reference).text(number).bytes(rest);
  };
}

function hasSerial(day: EpochDay): boolean {
  const serial = day + SERIAL_OF_EPOCH;
  return serial >= FIRST_SERIAL && serial <= LAST_SERIAL;
}

function serialOf(day: EpochDay): string {
  return String(day + SERIAL_OF_EPOCH);
}

/** Writes a date with time. @param clock local time as if it were UTC, in seconds since the epoch */
function writeMoment(buffer: ByteBuffer, clock: EpochSecond): ByteBuffer {
  const day = Math.floor(clock / DAY_SECONDS);
  return buffer
    .bytes(MOMENT)
    .text(serialOf(day))
    .bytes(fractionOf(clock - day * DAY_SECONDS));
}

/** Writes a time of day without seconds, like the printed HH:MM. */
function writeTime(buffer: ByteBuffer, clock: EpochSecond): ByteBuffer {
  const secondOfDay = clock - Math.floor(clock / DAY_SECONDS) * DAY_SECONDS;
  return buffer
    .bytes(TIME)
    .text('0')
    .bytes(fractionOf(secondOfDay - (secondOfDay % 60)));
}

/** Ten decimals of a day are far more precise than a millisecond. */
const DECIMALS = 10;
const fractions: Uint8Array[] = [];

/** Returns a fraction of a day as decimals. It is cached, because formatting a number takes longer than the rest of its cell. */
function fractionOf(secondOfDay: number): Uint8Array {
  return (fractions[secondOfDay] ??= Buffer.from(secondOfDay === 0 ? '' : decimals(secondOfDay / DAY_SECONDS)));
}

function decimals(fraction: number): string {
  return fraction.toFixed(DECIMALS).slice(1).replace(/0+$/, '');
}
