import type { Report, ReportField } from '@stechuhr/report-pdf';
import { formatLocalDate, formatLocalDateTime } from '@stechuhr/worktime';
import type { Entry } from '../domain/entry.js';
import type { EntryValue, FieldTypeId, ImageValue, ValueOf, WeatherValue } from '../domain/entry-value.js';
import { weather as weatherType } from '../domain/field-types.js';
import type { Form, FormField } from '../domain/form.js';
import type { ReportKey, ReportStatus } from '../domain/report.js';
import { keysOfImage } from '../domain/upload.js';
import type { PhotoReader, Project } from './ports.js';

/** The data of a PDF. */
export interface PdfParts {
  readonly organization: string;
  readonly project: Project;
  readonly report: ReportKey;
  readonly status: ReportStatus;
  readonly form: Form;
  /** The current entries, by sequence. */
  readonly entries: readonly Entry[];
  readonly authors: ReadonlyMap<string, string>;
  readonly employees: ReadonlyMap<string, string>;
  /** Seconds since the epoch. */
  readonly now: number;
  readonly photos: PhotoReader;
}

/** An entry of a certain type. */
interface Typed<T extends FieldTypeId> {
  readonly entry: Entry;
  readonly value: ValueOf<T>;
}

/** Returns the printed report: the fields of the form in order, each with its current entries. */
export function pdfReport(parts: PdfParts): Report {
  const { name, code, address, client } = parts.project;
  return {
    organization: parts.organization,
    project: { name, code, address, client },
    date: formatLocalDate(parts.report.date),
    status: parts.status,
    renderedAt: formatLocalDateTime(parts.now),
    fields: parts.form.fields.map((field) => toField(parts, field)),
  };
}

function toField(parts: PdfParts, { id, type, label }: FormField): ReportField {
  const entries = parts.entries.filter(({ fieldId }) => fieldId === id);
  switch (type) {
    case 'weather':
      return { type, label, entries: sortBy(typed(entries, type), ({ value }) => value.time).map(({ value }) => toReading(value)) };
    case 'employee-working-times':
      return { type, label, entries: sortBy(typed(entries, type), ({ value }) => value.employeeName).map(({ value }) => toWorked(value)) };
    case 'subcontractors':
      return { type, label, entries: sortBy(typed(entries, type), ({ value }) => value.name).map(({ value }) => value) };
    case 'activities':
      return {
        type,
        label,
        entries: typed(entries, type).map(({ entry, value }) => ({ text: value.text, person: subject(parts, entry) })),
      };
    case 'string':
      return { type, label, entries: typed(entries, type).map(({ entry, value }) => ({ value: value.value, ...written(parts, entry) })) };
    case 'image':
      return { type, label, entries: typed(entries, type).map(({ entry, value }) => toPhoto(parts, entry, value)) };
    case 'signature':
      return { type, label, entries: typed(entries, type).map((one) => toSignature(parts, one)) };
  }
}

function typed<T extends FieldTypeId>(entries: readonly Entry[], type: T): Typed<T>[] {
  return entries.flatMap((entry) => (isOf(entry.value, type) ? [{ entry, value: entry.value }] : []));
}

function isOf<T extends FieldTypeId>(value: EntryValue, type: T): value is ValueOf<T> {
  return value.type === type;
}

function toReading({ time, temperature, weatherCondition }: WeatherValue) {
  const word = weatherType.choices.condition?.find(({ id }) => id === weatherCondition)?.label;
  return { time, temperature, condition: weatherCondition === null || word === undefined ? null : { icon: weatherCondition, word } };
}

function toWorked({ employeeName, employeePosition, hours }: ValueOf<'employee-working-times'>) {
  return { name: employeeName, position: employeePosition, hours };
}

/** Returns a photo. Its preview is used if the photo cannot be shown. */
function toPhoto(parts: PdfParts, entry: Entry, image: ImageValue) {
  const { takenAt, latitude, longitude } = image;
  return {
    sources: keysOfImage(image).map((key) => ({ key, open: (signal: AbortSignal) => parts.photos.open(key, signal) })),
    takenAt: takenAt === null ? null : formatLocalDateTime(takenAt),
    latitude,
    longitude,
    author: written(parts, entry).author,
  };
}

/**
 * Returns a signature. It may be given on another person's device, so the owner of the device is named only if the entry is about no one
 * else, even if the person who signed is unknown.
 */
function toSignature(parts: PdfParts, { entry, value }: Typed<'signature'>) {
  const { author, at } = written(parts, entry);
  const name = entry.onBehalfOfId === null ? author : subject(parts, entry);
  return { image: value.image, name, role: value.role ?? null, at };
}

function subject({ employees }: PdfParts, { onBehalfOfId }: Entry): string | null {
  return onBehalfOfId === null ? null : (employees.get(onBehalfOfId) ?? null);
}

function written({ authors }: PdfParts, { authorId, createdAt }: Entry) {
  return { author: authorId === null ? null : (authors.get(authorId) ?? null), at: formatLocalDateTime(createdAt) };
}

function sortBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...items].sort((a, b) => key(a).localeCompare(key(b), 'de'));
}
