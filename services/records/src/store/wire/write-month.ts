import { BsonElements, bsonType, int32At, nameKey, secondsAt } from './bson-elements.js';
import type { IndexedMonth } from './month-index.js';
import type { ProtobufWriter } from './protobuf-writer.js';

const ID = nameKey('id');
const DATE = nameKey('date');
const STARTED_AT = nameKey('started_at');
const ENDED_AT = nameKey('ended_at');
const TIMESPANS = nameKey('timespans');
const TYPE = nameKey('type');
const PROJECT_ID = nameKey('project_id');
const COMMENT = nameKey('comment');
const EDITS = nameKey('edits');
const AT = nameKey('at');
const BY = nameKey('by');

/** The first letter distinguishes `work` from `break`. */
const FIRST_LETTER_OF_WORK = 'w'.charCodeAt(0);
const WORK = 1;
const BREAK = 2;

/** Enum values of editors by the first letter of employee, manager or system. */
const EDITORS: Readonly<Record<number, number>> = { ['e'.charCodeAt(0)]: 1, ['m'.charCodeAt(0)]: 2, ['s'.charCodeAt(0)]: 3 };

const inArray = new BsonElements();
const inWorkday = new BsonElements();
const inTimespan = new BsonElements();
const inEdit = new BsonElements();

/** Writes a month as the field `workmonths` of `stechuhr.records.v1.EmployeeRecords`, with the field numbers of records.proto. */
export function writeMonth(out: ProtobufWriter, indexed: IndexedMonth, withEdits: boolean): void {
  const { bytes, id, year, month, openingBalance, workdays } = indexed;
  // The BSON bytes are longer than the encoded message, because protobuf has no field names.
  out.reserve(bytes.length);
  const before = out.length;
  for (let index = workdays.length - 1; index >= 0; index -= 1) writeWorkday(out, bytes, workdays[index]?.at ?? 0, withEdits);
  if (openingBalance > 0) out.integer(4, int32At(bytes, openingBalance));
  out.integer(3, int32At(bytes, month));
  out.integer(2, int32At(bytes, year));
  out.text(1, bytes, id);
  out.close(4, before);
}

function writeWorkday(out: ProtobufWriter, bytes: Buffer, at: number, withEdits: boolean): void {
  const before = out.length;
  let id = 0;
  let date = 0;
  let startedAt = 0;
  let endedAt = 0;
  let timespans = 0;
  let edits = 0;
  for (const field = inWorkday.open(bytes, at); field.step();) {
    if (field.name === ID) id = field.value;
    else if (field.name === DATE) date = field.value;
    else if (field.name === STARTED_AT) startedAt = field.value;
    else if (field.name === ENDED_AT && field.type === bsonType.date) endedAt = field.value;
    else if (field.name === TIMESPANS) timespans = field.value;
    else if (field.name === EDITS && withEdits) edits = field.value;
  }
  if (edits > 0) writeEach(out, bytes, { arrayAt: edits, write: writeEdit });
  if (timespans > 0) writeEach(out, bytes, { arrayAt: timespans, write: writeTimespan });
  if (endedAt > 0) out.integer(4, secondsAt(bytes, endedAt));
  out.integer(3, secondsAt(bytes, startedAt));
  out.integer(2, int32At(bytes, date));
  out.text(1, bytes, id);
  out.close(5, before);
}

interface Elements {
  readonly arrayAt: number;
  readonly write: (out: ProtobufWriter, bytes: Buffer, at: number) => void;
}

function writeEach(out: ProtobufWriter, bytes: Buffer, { arrayAt, write }: Elements): void {
  const places: number[] = [];
  for (const element = inArray.open(bytes, arrayAt); element.step();) places.push(element.value);
  for (let index = places.length - 1; index >= 0; index -= 1) write(out, bytes, places[index] ?? 0);
}

function writeEdit(out: ProtobufWriter, bytes: Buffer, at: number): void {
  const before = out.length;
  let editedAt = 0;
  let by = 0;
  for (const field = inEdit.open(bytes, at); field.step();) {
    if (field.name === AT) editedAt = field.value;
    else if (field.name === BY) by = field.value;
  }
  out.integer(2, EDITORS[bytes[by + 4] ?? 0] ?? 0);
  out.integer(1, secondsAt(bytes, editedAt));
  out.close(6, before);
}

function writeTimespan(out: ProtobufWriter, bytes: Buffer, at: number): void {
  const before = out.length;
  let id = 0;
  let type = 0;
  let startedAt = 0;
  let endedAt = 0;
  let projectId = 0;
  let comment = 0;
  for (const field = inTimespan.open(bytes, at); field.step();) {
    if (field.name === ID) id = field.value;
    else if (field.name === TYPE) type = field.value;
    else if (field.name === STARTED_AT) startedAt = field.value;
    else if (field.name === ENDED_AT && field.type === bsonType.date) endedAt = field.value;
    else if (field.name === PROJECT_ID && field.type === bsonType.text) projectId = field.value;
    else if (field.name === COMMENT && field.type === bsonType.text) comment = field.value;
  }
  if (comment > 0) out.text(6, bytes, comment);
  if (projectId > 0) out.text(5, bytes, projectId);
  if (endedAt > 0) out.integer(4, secondsAt(bytes, endedAt));
  out.integer(3, secondsAt(bytes, startedAt));
  out.integer(2, bytes[type + 4] === FIRST_LETTER_OF_WORK ? WORK : BREAK);
  out.text(1, bytes, id);
  out.close(5, before);
}
