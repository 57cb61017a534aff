import { afterEach, describe, expect, it } from '@jest/globals';
import { askForErrand, askForShared, offerShared, type SharedOffer } from './shared.js';

let offer: SharedOffer | undefined;
afterEach(() => offer?.stop());

/** An offer that records what happens to it; a given number of its starts fail. */
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

describe('a resource that test files share', () => {
  it('is started once, on the first request, and stopped once', async () => {
    const seen = await offered();
    expect(seen).toEqual([]);
    expect(await Promise.all([1, 2, 3].map(() => askForShared({ zone: 'a' })))).toEqual([{ at: 'here' }, { at: 'here' }, { at: 'here' }]);
    await offer?.stop();
    expect(seen).toEqual(['start {"zone":"a"}', 'stop']);
    offer = undefined;
  });

  it('is not started without a request', async () => {
    const seen = await offered();
    await offer?.stop();
    expect(seen).toEqual([]);
    offer = undefined;
  });

  it('can be used together with errands', async () => {
    const fail = () => Promise.reject(new Error('no way'));
    offer = await offerShared(fail, { double: (given: number) => Promise.resolve(2 * given), fail });
    expect(await askForErrand('double', 21)).toBe(42);
    await expect(askForErrand('fail', null)).rejects.toThrow('"fail" failed: Error: no way');
  });

  it('reports why it does not start, and is started again on the next request', async () => {
    await offered(1);
    await expect(askForShared({})).rejects.toThrow('did not start: Error: no port is free');
    expect(await askForShared({})).toEqual({ at: 'here' });
  });
});
