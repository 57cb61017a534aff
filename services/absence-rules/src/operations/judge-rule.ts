import { absenceRuleBody, absenceRuleNumbers, judgeBody, parseBody, readJson } from '@stechuhr/contracts';
import { AppError, type FieldErrors } from '@stechuhr/kernel';
import { parseLocalDate, type EpochDay } from '@stechuhr/worktime';
import type { Rule } from '../domain/rule.js';
import { isVisible } from './find-visible.js';
import type { CallerRecords } from './ports.js';

/** What a client says about a manual rule. */
export type RuleFields = Omit<Rule, 'id' | 'source'>;

/**
 * Judges the body of a manual rule: its fields, its employee and absence type, and the order of its dates, all problems together.
 *
 * @throws AppError `invalid` with the field errors
 */
export async function judgeRule(records: CallerRecords, json: string): Promise<RuleFields> {
  const body = readJson(json, absenceRuleNumbers);
  const { values, errors } = judgeBody(absenceRuleBody, body);
  const problems: FieldErrors = {
    ...errors,
    ...(await employeeProblem(records, values.employee_id)),
    ...(await typeProblem(records, values.missing_type)),
    ...orderProblem(values.available_from, values.expires_at),
  };
  if (Object.keys(problems).length > 0) throw AppError.invalid(problems);
  const { employee_id: employeeId, missing_type: missingType, available_from, expires_at, ...rest } = parseBody(absenceRuleBody, body);
  return { employeeId, missingType, availableFrom: toDay(available_from), expiresAt: toDay(expires_at), ...rest };
}

/** What the caller may not see does not exist; so does an employee of another institution. */
async function employeeProblem(records: CallerRecords, employeeId: string | undefined): Promise<FieldErrors> {
  if (employeeId === undefined || (await isVisible(records, employeeId))) return {};
  return { employee_id: [`Invalid pk "${employeeId}" - object does not exist.`] };
}

async function typeProblem(records: CallerRecords, missingType: string | undefined): Promise<FieldErrors> {
  if (missingType === undefined) return {};
  const { absenceTypes } = await records.readInstitution();
  return absenceTypes.some(({ value }) => value === missingType) ? {} : { missing_type: [`"${missingType}" is not a valid choice.`] };
}

/** Dates of this form compare as text. */
function orderProblem(availableFrom: string | undefined, expiresAt: string | undefined): FieldErrors {
  if (availableFrom === undefined || expiresAt === undefined || availableFrom <= expiresAt) return {};
  return { non_field_errors: ['available_from must be on or before expires_at.'] };
}

function toDay(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error(`${text} passed as a date.`) });
  return day;
}
