import { recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { AbsenceCategory, AbsenceType } from '@stechuhr/worktime';

const { AbsenceCategory: Category } = recordsV1;

/** Converts an absence type of the institution. @throws AppError `internal` if its category is unknown */
export function toAbsenceType({ value, label, category, credited }: recordsV1.AbsenceType): AbsenceType {
  return { value, label, category: toCategory(category), credited };
}

function toCategory(category: recordsV1.AbsenceCategory): AbsenceCategory {
  switch (category) {
    case Category.ABSENCE_CATEGORY_VACATION:
      return 'vacation';
    case Category.ABSENCE_CATEGORY_SICK:
      return 'sick';
    case Category.ABSENCE_CATEGORY_EDUCATION:
      return 'education';
    case Category.ABSENCE_CATEGORY_OTHER:
      return 'other';
    default:
      throw new AppError('internal', 'Internal error.', { cause: new Error(`Unknown absence category ${String(category)}.`) });
  }
}
