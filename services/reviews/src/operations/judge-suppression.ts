import { judgeBody, judgePartialBody, readJson, suppressionBody, type JudgedBody } from '@stechuhr/contracts';
import { AppError, type FieldErrors } from '@stechuhr/kernel';
import { parseLocalDate, type EpochDay } from '@stechuhr/worktime';
import type { z } from 'zod';
import type { SuppressionFields } from '../domain/suppression.js';
import type { OrganizationRecords } from './ports.js';

type Body = z.output<typeof suppressionBody>;

/** A parsed body and the problem of its employee, if any. */
interface Judged extends JudgedBody<Body> {
  readonly employee: FieldErrors;
}

/** Validates the body of a new suppression rule and reports all problems together. @throws AppError `invalid` with the field errors */
export async function judgeSuppression(records: OrganizationRecords, json: string): Promise<SuppressionFields> {
  const judged = await withEmployee(records, judgeBody(suppressionBody, readJson(json)));
  const { code, valid_from: validFrom } = judged.values;
  const fields = { ...changesOf(judged.values), code: code ?? '', validFrom: validFrom === undefined ? 0 : toDay(validFrom) };
  return validFields(judged, { employeeId: null, validTo: null, ...fields });
}

/**
 * Validates a partial body, once for all attempts to write it.
 *
 * @returns a function that applies the change to a rule; it throws AppError `invalid` with the field errors
 * @throws AppError `invalid` if the body is not a JSON object
 */
export async function judgeChange(records: OrganizationRecords, json: string): Promise<(before: SuppressionFields) => SuppressionFields> {
  const judged = await withEmployee(records, judgePartialBody(suppressionBody, readJson(json)));
  return ({ code, employeeId, validFrom, validTo }) =>
    validFields(judged, { code, employeeId, validFrom, validTo, ...changesOf(judged.values) });
}

function changesOf({ code, employee_id, valid_from, valid_to }: Partial<Body>): Partial<SuppressionFields> {
  return {
    ...(code !== undefined && { code }),
    ...(employee_id !== undefined && { employeeId: employee_id }),
    ...(valid_from !== undefined && { validFrom: toDay(valid_from) }),
    ...(valid_to !== undefined && { validTo: valid_to === null ? null : toDay(valid_to) }),
  };
}

/** Checks that the employee exists. Employees of other institutions count as missing. */
async function withEmployee(records: OrganizationRecords, body: JudgedBody<Body>): Promise<Judged> {
  const { employee_id: id } = body.values;
  const isKnown = id === undefined || id === null || (await records.hasEmployee(id));
  return { ...body, employee: isKnown ? {} : { employee_id: [`Invalid pk "${id}" - object does not exist.`] } };
}

function validFields({ errors, employee }: Judged, fields: SuppressionFields): SuppressionFields {
  const areDatesKnown = !('valid_from' in errors) && !('valid_to' in errors);
  const problems: FieldErrors = { ...errors, ...employee, ...(areDatesKnown ? orderProblem(fields) : {}) };
  if (Object.keys(problems).length > 0) throw AppError.invalid(problems);
  return fields;
}

function orderProblem({ validFrom, validTo }: SuppressionFields): FieldErrors {
  return validTo !== null && validTo < validFrom ? { non_field_errors: ['valid_to must not be before valid_from.'] } : {};
}

function toDay(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error(`${text} passed as a date.`) });
  return day;
}
