import { describe, expect, it } from '@jest/globals';
import { attachment } from './attachment.js';

describe('attachment', () => {
  it.each([
    [
      'generic-2025-01-01-2025-01-31.csv',
      `attachment; filename="generic-2025-01-01-2025-01-31.csv"; filename*=UTF-8''generic-2025-01-01-2025-01-31.csv`,
    ],
    ['payroll_a.txt', `attachment; filename="payroll_a.txt"; filename*=UTF-8''payroll_a.txt`],
    ['Müller "A".csv', `attachment; filename="M_ller _A_.csv"; filename*=UTF-8''M%C3%BCller%20%22A%22.csv`],
    ["a'(1)*.csv", `attachment; filename="a__1__.csv"; filename*=UTF-8''a%27%281%29%2A.csv`],
    ['a\r\nSet-Cookie: b', `attachment; filename="a__Set-Cookie_ b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`],
    ['\ud800.csv', `attachment; filename="_.csv"; filename*=UTF-8''%EF%BF%BD.csv`],
  ])('encodes the file name %j', (name, header) => {
    expect(attachment(name)).toBe(header);
  });
});
