import type { commonV1, recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary } from '@stechuhr/service';
import { holidayCalendar, isFederalState, type AbsenceType, type HolidayCalendar } from '@stechuhr/worktime';
import { toAbsenceType } from './absence-types.js';

/** The settings of an institution; those that are not set are null. */
export interface Institution {
  readonly id: string;
  readonly name: string;
  /** Such as `DE-BY`, as given by the institution. */
  readonly federalState: string | null;
  readonly payrollClientNumber: string | null;
  readonly absenceTypes: readonly AbsenceType[];
  /** Those of its federal state; without a known one, those of all of Germany. */
  readonly holidays: HolidayCalendar;
}

/** The institution of a caller. @throws AppError `not_found`, `unavailable` */
export async function readInstitution(
  client: recordsV1.RecordsServiceClient,
  caller: commonV1.Caller,
  signal: AbortSignal,
): Promise<Institution> {
  const { institution } = await callUnary(client, client.getInstitution, { caller }, { signal, idempotent: true });
  if (institution === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error('No institution in the answer.') });
  const { id, name, federalState = null, payrollClientNumber = null, absenceTypes } = institution;
  return {
    id,
    name,
    federalState,
    payrollClientNumber,
    absenceTypes: absenceTypes.map(toAbsenceType),
    holidays: holidayCalendar(federalState !== null && isFederalState(federalState) ? federalState : null),
  };
}
