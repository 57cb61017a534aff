import type { EpochSecond } from '@stechuhr/worktime';

export const weatherConditions = ['sunny', 'cloudy', 'precipitation', 'snow'] as const;

export type WeatherCondition = (typeof weatherConditions)[number];

export interface WeatherValue {
  readonly type: 'weather';
  /** Time of day, `HH:MM`. */
  readonly time: string;
  readonly temperature: number | null;
  readonly weatherCondition: WeatherCondition | null;
  /** This field and the next two are accepted and stored, but never returned. */
  readonly precipitation: number | null;
  readonly cloudCover: number | null;
  /** Speed and direction; the direction in degrees from 0 to 359. */
  readonly wind: readonly [speed: number, direction: number] | null;
}

export interface WorkingTimeValue {
  readonly type: 'employee-working-times';
  readonly hours: number;
  /** This field and the next two are copies from when the entry was written. The account is empty if the employee has none. */
  readonly employeeAccountId: string;
  readonly employeeName: string;
  readonly employeePosition: string;
}

export interface SubcontractorValue {
  readonly type: 'subcontractors';
  readonly name: string;
  readonly employees: number;
  readonly hours: number | null;
  readonly comment: string | null;
}

export interface ActivityValue {
  readonly type: 'activities';
  readonly text: string;
}

export interface TextValue {
  readonly type: 'string';
  readonly value: string;
}

export interface ImageValue {
  readonly type: 'image';
  readonly imageId: string;
  readonly imageKey: string | null;
  readonly thumbKey: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly takenAt: EpochSecond | null;
}

export interface SignatureValue {
  readonly type: 'signature';
  /** The image as a data URL. */
  readonly image: string;
  /** The role of the person who signed, such as `Bauleitung` or `Auftraggeber`; absent in entries of version 0.1. */
  readonly role?: string | null;
}

/** The value of an entry, by the type of its field. */
export type EntryValue = WeatherValue | WorkingTimeValue | SubcontractorValue | ActivityValue | TextValue | ImageValue | SignatureValue;

export type FieldTypeId = EntryValue['type'];

/** The value type of one field type. */
export type ValueOf<T extends FieldTypeId> = Extract<EntryValue, { readonly type: T }>;

/** Returns the size of the texts in a value, or in any other flat object, in bytes. Everything else in it is small. */
export function bytesOfTexts(value: object): number {
  let bytes = 0;
  for (const part of Object.values(value)) if (typeof part === 'string') bytes += Buffer.byteLength(part);
  return bytes;
}
