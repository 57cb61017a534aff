import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startMongo, type LoneServer } from '@stechuhr/local-infra';
import { end, testHome, type TestHome } from './starter.js';

let home: TestHome;
let elsewhere: LoneServer<string>;
beforeEach(async () => {
  home = testHome();
  elsewhere = await startMongo({ own: true });
});
afterEach(async () => {
  await elsewhere.stop();
  home.remove();
});

it('the demo organization is loaded into the own MongoDB on the day on which it was loaded into another one', async () => {
  const first = home.start({ STECHUHR_DEMO: 'on', MONGODB_URL: elsewhere.address });
  const { demo } = await home.ready(first);
  await end(first, 'SIGINT');
  const second = home.start({ STECHUHR_DEMO: 'on' });
  expect((await home.ready(second)).demo?.account_id).toBe(demo?.account_id);
  await end(second, 'SIGINT');
});
