import { notAChoice } from '../problems.js';
import { folded, type FilterKey } from './filter.js';

const project: FilterKey = {
  id: 'project',
  title: 'Projekt (Code oder ID)',
  description: 'Personen mit erfasster Zeit auf dem Projekt im Zeitraum.',
  example: 'filter=project=HB-101',
  compile: (values, { projects }) => {
    const wanted = new Set(values.map(folded));
    const isWanted = (id: string): boolean => wanted.has(id) || wanted.has(folded(projects.get(id)?.code ?? ''));
    return {
      scope: 'records',
      needs: ['workdays', 'timespans'],
      matches: (sheet) => [...sheet.secondsByProject].some(([id, seconds]) => seconds > 0 && id !== null && isWanted(id)),
    };
  },
};

const missingType: FilterKey = {
  id: 'missing-type',
  title: 'Abwesenheitsart',
  description: 'Personen mit einem Abwesenheitstag dieser Art im Zeitraum.',
  example: 'filter=missing-type=vacation,sick',
  compile: (values, { institution }, report) => {
    const known = institution.absenceTypes.map(({ value }) => value);
    for (const value of values) {
      if (!known.includes(value)) report(notAChoice(value, known, '"missing-type": '));
    }
    return {
      scope: 'records',
      needs: ['contracts', 'absences'],
      matches(sheet) {
        for (const entry of sheet.absenceDays) if (values.includes(entry.missingType)) return true;
        return false;
      },
    };
  },
};

/** Filters that use the time records of the period. */
export const recordFilters: readonly FilterKey[] = [project, missingType];
