import { startReview, type Review } from '@stechuhr/reviews/domain/review.js';
import { activeChecks, defaultSettings } from '@stechuhr/reviews/domain/settings.js';
import { packFindings } from '@stechuhr/reviews/operations/pack-findings.js';
import { formatLocalDate } from '@stechuhr/worktime';
import type { Run } from '../../../harness/types.js';
import { moment, organization } from '../organization.js';
import { reviewOutcome, type PlainFinding } from '../outcome.js';

/** Number of reviews before the measurement, during which V8 compiles the code: a service runs for a long time. */
const WARM_UP = 10;
const REVIEWS = 20;

export const run: Run = async (input) => {
  const records = organization(input.size);
  const workdays = records.reduce((sum, employee) => sum + employee.workdays.length, 0);
  const review = (): Review => {
    const started = startReview(activeChecks(defaultSettings), moment, packFindings);
    for (const employee of records) started.add(employee);
    return started;
  };
  let found = 0;
  for (let index = 0; index < WARM_UP; index += 1) found += review().findings.size;
  const startedAt = performance.now();
  for (let index = 0; index < REVIEWS; index += 1) found += review().findings.size;
  const ms = performance.now() - startedAt;
  if (found === 0) throw new Error('Nothing was found.');
  return reviewOutcome(input, { ms, workdays: workdays * REVIEWS }, () => Array.from(review().findings, toPlain));
};

function toPlain({ check, employeeId, found }: Review['findings'] extends Iterable<infer F> ? F : never): PlainFinding {
  return { code: check.code, employeeId, date: formatLocalDate(found.date), references: found.references, context: found.context };
}
