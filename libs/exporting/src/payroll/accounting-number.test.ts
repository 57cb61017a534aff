import { expect, it } from '@jest/globals';
import { id, member } from '../test/fixture.js';
import { byAccountingNumber } from './accounting-number.js';

it('orders numbers by value, then texts by code point', () => {
  const sorted = ['A-7', '10', '042', '9', '42', '99999999999999999999', '0', '', '\u{1F600}', '\uFF21', '1.5'];
  const staff = sorted.map((accountingNumber, index) => member({ id: id(index), accountingNumber }));
  expect(staff.sort(byAccountingNumber).map(({ accountingNumber }) => accountingNumber)).toEqual([
    ...['0', '9', '10', '042', '42', '99999999999999999999'],
    ...['', '1.5', 'A-7', '\uFF21', '\u{1F600}'],
  ]);
});
