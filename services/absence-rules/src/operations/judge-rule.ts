import { absenceRuleBody, absenceRuleNumbers, judgeBody, parseBody, readJson, type JudgedBody } from '@stechuhr/contracts';
import { AppError, type FieldErrors } from '@stechuhr/kernel';
import { parseLocalDate, type EpochDay } from '@stechuhr/worktime';
import type { z } from 'zod';
import type { Rule } from '../domain/rule.js';
import type { CallerRecords, Institution } from './ports.js';
import { noSuchRule, visibleAmong } from './visible.js';

/** The fields of a manual rule that a client sets. */
export type RuleFields = Omit<Rule, 'id' | 'source'>;

/**
 * Validates the body of a manual rule: its fields, its employee and absence type, and the order of its dates. All problems are reported
 * together. The required records are requested in parallel, and in parallel with the lookup of the rule.
 *
 * @param finding the rule that the body replaces
 * @throws AppError `not_found` if the caller may not see that rule, even if the body is invalid; `invalid` with the field errors
 */
export async function judgeRule(records: CallerRecords, json: string, finding?: Promise<Rule>): Promise<RuleFields> {
  const body = readBody(json);
  const { employee_id, missing_type } = body.values;
  const asking = Promise.all([
    visibleAmong(records, employee_id === undefined ? [] : [employee_id]),
    missing_type === undefined ? undefined : records.readInstitution(),
  ]);
  // A failure matters only if the rule exists.
  asking.catch(() => undefined);
  const stored = await finding;
  const [visible, institution] = await asking;
  // If the employee does not change, no second call is needed.
  const seen = stored === undefined || stored.employeeId === employee_id ? visible : await visibleAmong(records, [stored.employeeId]);
  if (stored !== undefined && !seen.has(stored.employeeId)) throw noSuchRule();
  if (body.unreadable !== undefined) throw body.unreadable;
  const problems: FieldErrors = {
    ...body.errors,
    ...employeeProblem(employee_id, visible),
    ...typeProblem(missing_type, institution),
    ...orderProblem(body.values),
  };
  if (Object.keys(problems).length > 0) throw AppError.invalid(problems);
  const { employee_id: employeeId, missing_type: missingType, available_from, expires_at, ...rest } = parseBody(absenceRuleBody, body.json);
  return { employeeId, missingType, availableFrom: toDay(available_from), expiresAt: toDay(expires_at), ...rest };
}

type Body = z.output<typeof absenceRuleBody>;

interface ReadBody extends JudgedBody<Body> {
  readonly json?: unknown;
  /** Why the body is not a JSON object. The existence of the rule takes precedence. */
  readonly unreadable?: AppError;
}

function readBody(text: string): ReadBody {
  try {
    const json = readJson(text, absenceRuleNumbers);
    return { json, ...judgeBody(absenceRuleBody, json) };
  } catch (caught) {
    return { unreadable: AppError.from(caught), values: {}, errors: {} };
  }
}

/** Returns the problem of the employee. Employees whom the caller may not see count as missing, like those of other institutions. */
function employeeProblem(employeeId: string | undefined, visible: ReadonlySet<string>): FieldErrors {
  if (employeeId === undefined || visible.has(employeeId)) return {};
  return { employee_id: [`Invalid pk "${employeeId}" - object does not exist.`] };
}

function typeProblem(missingType: string | undefined, institution: Institution | undefined): FieldErrors {
  if (missingType === undefined || institution?.absenceTypes.some(({ value }) => value === missingType) === true) return {};
  return { missing_type: [`"${missingType}" is not a valid choice.`] };
}

/** Returns the problem of the order of dates. ISO dates can be compared as text. */
function orderProblem({ available_from, expires_at }: Partial<Body>): FieldErrors {
  if (available_from === undefined || expires_at === undefined || available_from <= expires_at) return {};
  return { non_field_errors: ['available_from must be on or before expires_at.'] };
}

function toDay(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error(`${text} passed as a date.`) });
  return day;
}
