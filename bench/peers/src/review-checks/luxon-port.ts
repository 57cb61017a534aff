import type { Run } from '@stechuhr/bench/harness/types.js';
import { toDocument } from './documents.js';
import { reviewEmployee } from './review.js';
import { moment, organization } from '@stechuhr/bench/cases/review-checks/organization.js';
import { reviewOutcome } from '@stechuhr/bench/cases/review-checks/outcome.js';

/**
 * The same rules in a straightforward implementation: one function per rule, each of which converts the dates of the database documents.
 */
export const run: Run = async (input) => {
  const documents = organization(input.size).map(toDocument);
  const workdays = documents.reduce((sum, employee) => sum + employee.workdays.length, 0);
  const month = { first: '2026-10-01', last: '2026-10-31', now: new Date(moment.now * 1000) };
  for (const document of documents.slice(0, 10)) reviewEmployee(document, month);
  const startedAt = performance.now();
  const findings = documents.flatMap((document) => reviewEmployee(document, month));
  const ms = performance.now() - startedAt;
  return reviewOutcome(input, { ms, workdays }, () => findings);
};
