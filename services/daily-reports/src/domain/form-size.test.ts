import { describe, expect, it } from '@jest/globals';
import { builtInForm } from './form.js';
import { bytesOfForm, refusalOfForms } from './form-size.js';

describe('bytesOfForm', () => {
  it('counts the fields as JSON', () => {
    // `[{"id":"a","type":"string","label":"€","config":{}}]`: 52 characters, of which the euro sign takes three bytes.
    expect(bytesOfForm({ fields: [{ id: 'a', type: 'string', label: '€', config: {} }] })).toBe(54);
    expect(bytesOfForm(builtInForm)).toBeLessThan(1_000);
  });
});

describe('refusalOfForms', () => {
  const many = 'The institution may not have more than 100 forms.';
  const large = 'The fields of the forms of the institution may not have more than 1048576 bytes.';

  it.each([
    [{ forms: 99, bytes: 0 }, { forms: 100, bytes: 1_048_576 }, undefined],
    [{ forms: 100, bytes: 0 }, { forms: 101, bytes: 0 }, many],
    [{ forms: 1, bytes: 1_000_000 }, { forms: 1, bytes: 1_048_577 }, large],
    // Forms stored before there were limits may change but not grow.
    [{ forms: 300, bytes: 2_000_000 }, { forms: 300, bytes: 2_000_000 }, undefined],
    [{ forms: 300, bytes: 2_000_000 }, { forms: 300, bytes: 2_000_001 }, large],
    [{ forms: 300, bytes: 2_000_000 }, { forms: 301, bytes: 2_000_000 }, many],
  ])('from %j to %j: %s', (before, after, refusal) => {
    expect(refusalOfForms(before, after)).toBe(refusal);
  });
});
