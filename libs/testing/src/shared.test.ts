import { afterEach, describe, expect, it } from '@jest/globals';
import { askForErrand, askForShared, offerShared, type SharedOffer } from './shared.js';

let offer: SharedOffer | undefined;
afterEach(() => offer?.stop());

/** An offer that records what happens to it; the given number of starts fail. */
async function offered(failures = 0): Promise<readonly string[]> {
  const seen: string[] = [];
  offer = await offerShared(async (settings) => {
    seen.push(`start ${JSON.stringify(settings)}`);
    await Promise.resolve();
    if (seen.length <= failures) throw new Error('no port is free');
    const stop = () => Promise.resolve(void seen.push('stop'));
    return { shown: { at: 'here' }, stop };
  });
  return seen;
}

describe('what test files share', () => {
  it('is started once, for the first that asks, and stopped once', async () => {
    const seen = await offered();
    expect(seen).toEqual([]);
    expect(await Promise.all([1, 2, 3].map(() => askForShared({ zone: 'a' })))).toEqual([{ at: 'here' }, { at: 'here' }, { at: 'here' }]);
    await offer?.stop();
    expect(seen).toEqual(['start {"zone":"a"}', 'stop']);
    offer = undefined;
  });

  it('is not started unless a test asks for it', async () => {
    const seen = await offered();
    await offer?.stop();
    expect(seen).toEqual([]);
    offer = undefined;
  });

  it('includes errands that the run does', async () => {
    const fail = () => Promise.reject(new Error('no way'));
    offer = await offerShared(fail, { double: (given: number) => Promise.resolve(2 * given), fail });
    expect(await askForErrand('double', 21)).toBe(42);
    await expect(askForErrand('fail', null)).rejects.toThrow('"fail" failed: Error: no way');
  });

  it('says why it does not start, and is tried again', async () => {
    await offered(1);
    await expect(askForShared({})).rejects.toThrow('did not start: Error: no port is free');
    expect(await askForShared({})).toEqual({ at: 'here' });
  });
});
