import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { describeReport, formFingerprint } from './description.js';
import type { EntryValue } from './entry-value.js';
import type { Entry } from './entry.js';
import { builtInForm, type Form } from './form.js';

let sequence = 0;

function entry(fieldId: string, value: EntryValue, given: Partial<Entry> = {}): Entry {
  sequence += 1;
  const times = { submittedAt: null, createdAt: 0, modifiedAt: 0 };
  const who = { authorId: 'ada', onBehalfOfId: null, burned: false };
  return { id: String(sequence), tagId: 't', date: 20_514, fieldId, value, ...who, ...times, sequence, ...given };
}

const worked = (employee: string, hours: number, given: Partial<Entry> = {}): Entry => {
  const value = { type: 'employee-working-times' as const, hours, employeeAccountId: '', employeeName: employee, employeePosition: '' };
  return entry('employee-working-times', value, { onBehalfOfId: employee, ...given });
};
const comment = (value: string, given: Partial<Entry> = {}) => entry('comments', { type: 'string', value }, given);
const reading = (time: string, temperature: number) =>
  entry('weather', { type: 'weather', time, temperature, weatherCondition: null, precipitation: null, cloudCover: null, wind: null });

describe('describeReport', () => {
  it('adds up the current hours of all employees', () => {
    const { totalHours, employees } = describeReport(builtInForm, [
      worked('max', 8),
      worked('eva', 0.1),
      worked('max', 7.5),
      worked('udo', 0.2),
      worked('zoe', 4),
      worked('zoe', 4, { burned: true }),
    ]);
    expect(totalHours).toBe(7.8);
    expect(employees).toEqual([
      { id: 'eva', name: 'eva' },
      { id: 'max', name: 'max' },
      { id: 'udo', name: 'udo' },
    ]);
  });

  it('rounds the decimal sum once, half up', () => {
    expect(describeReport(builtInForm, [worked('max', 1.0025), worked('eva', 1.0025)]).totalHours).toBe(2.01);
    const hundredths = fc.array(fc.integer({ min: 0, max: 2400 }), { maxLength: 40 });
    fc.assert(
      fc.property(hundredths, (all) => {
        const entries = all.map((one, at) => worked(`e${String(at)}`, one / 100));
        expect(describeReport(builtInForm, entries).totalHours).toBe(all.reduce((sum, one) => sum + one, 0) / 100);
      }),
    );
  });

  it('shows the newest value of each type in the order of the form, and readings by time', () => {
    const { newest, weather } = describeReport(builtInForm, [
      comment('old'),
      reading('12:00', 9),
      reading('07:00', 3),
      entry('materials', { type: 'string', value: 'Kran' }),
      entry('signatures', { type: 'signature', image: 'data:image/png;base64,AAAA' }),
    ]);
    expect(weather.map(({ time }) => time)).toEqual(['07:00', '12:00']);
    expect(newest.map(({ value }) => value)).toEqual([
      expect.objectContaining({ type: 'weather', time: '07:00' }),
      { type: 'string', value: 'Kran' },
      { type: 'signature', image: '' },
    ]);
  });

  it('counts all authors, including those of deleted entries and removed fields, but not system entries', () => {
    const form: Form = { ...builtInForm, fields: builtInForm.fields.filter(({ id }) => id !== 'comments') };
    const entries = [comment('a'), comment('a', { authorId: 'ben', burned: true }), worked('max', 8, { authorId: null })];
    const described = describeReport(form, entries);
    expect([described.contributorCount, described.totalHours, described.newest.length]).toEqual([2, 8, 1]);
  });

  it('determines whether the report exists', () => {
    expect(describeReport(builtInForm, []).hasEntries).toBe(false);
    expect(describeReport(builtInForm, [comment('a', { burned: true })])).toMatchObject({ hasEntries: true, newest: [] });
  });

  it('does not count entries of a field that has another type now', () => {
    const form: Form = { ...builtInForm, fields: [{ id: 'comments', type: 'image', label: 'Fotos', config: {} }] };
    expect(describeReport(form, [comment('a')]).newest).toEqual([]);
  });
});

describe('formFingerprint', () => {
  it('changes with the fields and their order, not with labels', () => {
    const [first, ...rest] = builtInForm.fields;
    const renamed = { ...builtInForm, fields: builtInForm.fields.map((field) => ({ ...field, label: 'x' })) };
    expect(formFingerprint(renamed)).toBe(formFingerprint(builtInForm));
    const others = [
      { ...builtInForm, fields: rest },
      { ...builtInForm, fields: first === undefined ? rest : [...rest, first] },
    ];
    expect(new Set([builtInForm, ...others].map(formFingerprint)).size).toBe(3);
  });

  it('is computed once for a form, regardless of the number of reports', () => {
    let reads = 0;
    const { fields } = builtInForm;
    const form: Form = {
      ...builtInForm,
      get fields() {
        reads += 1;
        return fields;
      },
    };
    for (let report = 0; report < 1_000; report += 1) formFingerprint(form);
    expect(reads).toBe(1);
  });
});
