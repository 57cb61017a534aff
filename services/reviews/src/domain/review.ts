import { FindingList, type Finding, type PackFindings } from './finding-list.js';
import { prepareSubject, type Moment, type SubjectRecords } from './prepare-subject.js';
import type { ActiveCheck } from './settings.js';

/** A review in progress: employees are added one by one, and the findings are read at the end. */
export interface Review {
  /**
   * Checks an employee. Employees must be added in the order of their ids. An employee without a workday in the month has no findings.
   *
   * @throws AppError `invalid` if there are too many findings
   */
  add(records: SubjectRecords): void;
  readonly employees: number;
  readonly findings: Iterable<Finding> & Pick<FindingList, 'size' | 'references'>;
}

export function startReview(active: readonly ActiveCheck[], moment: Moment, pack: PackFindings): Review {
  const findings = new FindingList(
    active.map(({ check }) => check),
    moment.month,
    pack,
  );
  let employees = 0;
  return {
    add(records) {
      const subject = prepareSubject(records, moment);
      if (subject.monthWorkdays.length === 0) return;
      employees += 1;
      const { employeeId, workmonthId } = subject;
      for (const { check, find } of active) findings.add({ check, employeeId, workmonthId }, find(subject));
    },
    get employees() {
      return employees;
    },
    findings,
  };
}
