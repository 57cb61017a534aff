import { judgeBody, judgePartialBody, readJson, suppressionBody, type JudgedBody } from '@stechuhr/contracts';
import { AppError, type FieldErrors } from '@stechuhr/kernel';
import { parseLocalDate, type EpochDay } from '@stechuhr/worktime';
import type { z } from 'zod';
import type { SuppressionFields } from '../domain/suppression.js';
import type { OrganizationRecords } from './ports.js';

type Body = z.output<typeof suppressionBody>;

/** Judges the body of a new suppression rule, all problems together. @throws AppError `invalid` with the field errors */
export async function judgeSuppression(records: OrganizationRecords, json: string): Promise<SuppressionFields> {
  const judged = judgeBody(suppressionBody, readJson(json));
  const { code, valid_from: validFrom } = judged.values;
  const fields = { ...changesOf(judged.values), code: code ?? '', validFrom: validFrom === undefined ? 0 : toDay(validFrom) };
  await assertGood(records, judged, { employeeId: null, validTo: null, ...fields });
  return { employeeId: null, validTo: null, ...fields };
}

/**
 * Judges a body that names only what changes.
 *
 * @returns the rule as it would be
 * @throws AppError `invalid` with the field errors
 */
export async function judgeChange(records: OrganizationRecords, json: string, before: SuppressionFields): Promise<SuppressionFields> {
  const judged = judgePartialBody(suppressionBody, readJson(json));
  const { code, employeeId, validFrom, validTo } = before;
  const after = { code, employeeId, validFrom, validTo, ...changesOf(judged.values) };
  await assertGood(records, judged, after);
  return after;
}

function changesOf({ code, employee_id, valid_from, valid_to }: Partial<Body>): Partial<SuppressionFields> {
  return {
    ...(code !== undefined && { code }),
    ...(employee_id !== undefined && { employeeId: employee_id }),
    ...(valid_from !== undefined && { validFrom: toDay(valid_from) }),
    ...(valid_to !== undefined && { validTo: valid_to === null ? null : toDay(valid_to) }),
  };
}

async function assertGood(records: OrganizationRecords, judged: JudgedBody<Body>, fields: SuppressionFields): Promise<void> {
  const { values, errors } = judged;
  const areDatesKnown = !('valid_from' in errors) && !('valid_to' in errors);
  const problems: FieldErrors = {
    ...errors,
    ...(await employeeProblem(records, values.employee_id)),
    ...(areDatesKnown ? orderProblem(fields) : {}),
  };
  if (Object.keys(problems).length > 0) throw AppError.invalid(problems);
}

/** An employee of another institution does not exist. */
async function employeeProblem(records: OrganizationRecords, employeeId: string | null | undefined): Promise<FieldErrors> {
  if (employeeId === undefined || employeeId === null || (await records.hasEmployee(employeeId))) return {};
  return { employee_id: [`Invalid pk "${employeeId}" - object does not exist.`] };
}

function orderProblem({ validFrom, validTo }: SuppressionFields): FieldErrors {
  return validTo !== null && validTo < validFrom ? { non_field_errors: ['valid_to must not be before valid_from.'] } : {};
}

function toDay(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error(`${text} passed as a date.`) });
  return day;
}
