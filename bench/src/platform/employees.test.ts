import { expect, it } from '@jest/globals';
import { byName } from './employees.js';

const employee = (lastName: string, firstName: string, number: string) => ({
  id: '',
  number,
  firstName,
  lastName,
  department: '',
  costCenter: '',
});

it('orders employees like exports: by German collation, then by number', () => {
  const shuffled = [
    employee('Zander', 'Eva', '1'),
    employee('Öztürk', 'Ali', '2'),
    employee('Ost', 'Änne', '10'),
    employee('Ost', 'Änne', '9'),
    employee('Ost', 'Anton', '3'),
  ];
  expect(shuffled.toSorted(byName).map(({ lastName, number }) => `${lastName} ${number}`)).toEqual([
    'Ost 10',
    'Ost 9',
    'Ost 3',
    'Öztürk 2',
    'Zander 1',
  ]);
});
