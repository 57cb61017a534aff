import { boolean, list, matching, oneOf, optionalMatching, optionalText, text } from '@stechuhr/ingest/kinds';
import { isFederalState } from '@stechuhr/worktime';
import { z } from 'zod';
import { defineKind } from '../kind.js';
import { isReservedSubject } from '../reserved-subjects.js';

const VALUE = /^[a-z0-9][a-z0-9_-]{0,62}$/;

const absenceType = z.object(
  {
    value: matching(
      (value): value is string => VALUE.test(value),
      'must begin with a-z or 0-9 and consist of at most 63 characters of a-z, 0-9, _ and -',
    ).describe('The value by which absences refer to it (`missing_type`): a-z or 0-9, then at most 62 of a-z, 0-9, _ and -.'),
    label: text.describe('Display name.'),
    category: oneOf('vacation', 'sick', 'education', 'other').describe('Category for payroll.'),
    credited: boolean.describe('Whether its hours count as worked.'),
  },
  { error: 'must be an object' },
);

/** The organization itself: its id is the `institution_id` of everything that belongs to it. */
export const institution = defineKind({
  name: 'institution',
  identity: 'institution',
  schema: z.object({
    name: text.describe('Name of the organization.'),
    federal_state: optionalMatching(isFederalState, 'must be one of the 16 German states such as DE-BY, or null').describe(
      'ISO 3166-2 code, whose public holidays count; null means nationwide ones only.',
    ),
    payroll_client_number: optionalText.describe('`MDNr` of payroll_a.'),
    absence_types: list(absenceType).describe('Its kinds of absence.'),
  }),
  contradictions({ absence_types }) {
    const values = absence_types.map((type) => type.value);
    const repeated = values.filter((value, index) => values.indexOf(value) !== index);
    return [
      ...values
        .filter(isReservedSubject)
        .map((value) => `absence_types may not use the value ${value}: it is a built-in row type of exports.`),
      ...new Set(repeated.map((value) => `absence_types has the value ${value} twice.`)),
    ];
  },
});
