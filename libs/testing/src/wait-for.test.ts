import { describe, expect, it } from '@jest/globals';
import { waitFor } from './wait-for.js';

describe('waitFor', () => {
  it('returns the result of the condition when it holds, even if it threw before', async () => {
    let asked = 0;
    const condition = () => {
      asked += 1;
      if (asked === 1) throw new Error('not there');
      return asked === 3 ? 'there' : undefined;
    };
    expect(await waitFor(condition)).toBe('there');
  });

  it('accepts 0 and the empty string as results', async () => {
    expect([await waitFor(() => 0), await waitFor(() => '')]).toEqual([0, '']);
  });

  it('reports the condition and the last error', async () => {
    const failing = waitFor(() => Promise.reject(new Error('no such row')), { timeoutMs: 50 });
    await expect(failing).rejects.toMatchObject({ message: expect.stringContaining('no such row'), cause: { message: 'no such row' } });
  });
});
