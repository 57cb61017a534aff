import type { commonV1, recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary } from '@stechuhr/service';
import { holidayCalendar, isFederalState, type AbsenceType, type HolidayCalendar } from '@stechuhr/worktime';
import { toAbsenceType } from './absence-types.js';

/** The settings of an institution; settings that are missing are null. */
export interface Institution {
  readonly id: string;
  readonly name: string;
  /** `DE-BY` and so on, as it was imported. */
  readonly federalState: string | null;
  readonly payrollClientNumber: string | null;
  readonly absenceTypes: readonly AbsenceType[];
  /** The holidays of its federal state, or the nationwide ones if the federal state is missing or unknown. */
  readonly holidays: HolidayCalendar;
}

/** Reads the institution of a caller. @throws AppError `not_found`, `unavailable` */
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
