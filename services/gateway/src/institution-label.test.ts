import { expect, it } from '@jest/globals';
import { createInstitutionLabel } from './institution-label.js';

it('an institution is named as long as there are few, and those that have a name keep it', () => {
  const label = createInstitutionLabel(2);
  expect(['a', 'b', 'a', 'c', 'b', 'd'].map(label)).toEqual(['a', 'b', 'a', 'others', 'b', 'others']);
});
