import { describe, expect, it } from '@jest/globals';
import { composeUp, noCompose } from './compose.js';
import { dockerEngine } from './engine.js';
import { npmStart } from './npm-start.js';

const engine = await dockerEngine();
const composeReason = engine === undefined ? 'no Docker engine answers' : await noCompose(engine);

if (engine === undefined) {
  it.skip('the platform on a Docker engine (skipped: no Docker engine answers)', () => {});
} else {
  describe('the platform on a Docker engine', () => {
    it('runs with npm start, with its servers in containers', async () =>
      expect((await npmStart(engine, { inDocker: true })).requests).toBe(3));

    if (composeReason !== undefined) it.skip(`runs with Compose (skipped: ${composeReason})`, () => {});
    else it('runs with Compose', async () => expect((await composeUp(engine)).requests).toBe(3));
  });
}
