import { expect, it } from '@jest/globals';
import { toEmployee, type EmployeeDocument } from './directory-documents.js';

const document: EmployeeDocument = {
  ...{ _id: 'e1', account_id: null, number: '1', accounting_number: null, first_name: 'A', last_name: 'B', email: null },
  ...{ department_id: null, hired_on: 0, left_on: null, archived_on: null },
  // As earlier versions stored the name, and any version stores the value.
  custom_fields: [
    { name: 'Gro\u0308ße', value: 'Ma\u0308nner' },
    { name: 'helmet', value: 'M' },
  ],
};

it.each([
  [undefined, { Größe: 'Ma\u0308nner', helmet: 'M' }],
  [['Größe'], { Größe: 'Ma\u0308nner' }],
  [['helmet'], { helmet: 'M' }],
])('custom fields have the composed names by which they are found: %j', (names, fields) => {
  expect(toEmployee(document, names && new Set(names)).customFields).toEqual(fields);
});
