import { describe, expect, it } from '@jest/globals';
import { newSecret, signatureOf } from './signature.js';

/** The example in the reference libraries of the specification. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  content: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe('signatures', () => {
  it('match the example of the specification', () => {
    expect(signatureOf(vector.content, [vector.secret])).toBe(vector.signature);
  });

  it('contain one for each secret', () => {
    const other = newSecret();
    expect(signatureOf(vector.content, [other, vector.secret])).toBe(`${signatureOf(vector.content, [other])} ${vector.signature}`);
  });

  it('use secrets of 32 bytes', () => {
    expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(newSecret());
  });
});
