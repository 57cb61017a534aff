import { describe, expect, it } from '@jest/globals';
import { endpointVariable } from './environment.js';

const WITHOUT_PATH = 'must be an address without a path, such as https://s3.example.com';

describe('the address of a store', () => {
  it.each(['https://s3.example.com', 'http://127.0.0.1:9000/', 'https://[::1]:9000'])('may be %s', (address) => {
    expect(endpointVariable.parse(address)).toBe(address);
  });

  // The bucket would silently replace the path, and signed URLs would not work.
  it.each(['https://example.com/s3', 'https://example.com/s3/', 'https://example.com/?a', 'https://example.com/#a'])(
    'is not %s',
    (address) => {
      const problems = endpointVariable.safeParse(address).error?.issues.map(({ message }) => message);
      expect(problems).toEqual([WITHOUT_PATH]);
    },
  );

  it.each(['', 'example.com', 'ftp://example.com/a'])('is not "%s"', (address) => {
    expect(endpointVariable.safeParse(address).success).toBe(false);
  });
});
