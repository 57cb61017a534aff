import { describe, expect, it } from '@jest/globals';
import { BROKEN, edited, NEXT } from './next.js';

// Sources move; whoever moves one of these learns it here, not from a cluster.
describe('the version that an upgrade goes to', () => {
  it.each([
    ['a changed schema', NEXT],
    ['a preparation that fails', BROKEN],
  ])('finds the places of %s', (_name, edits) => {
    const texts = edited(edits);
    for (const { file, replace } of edits) expect(texts.get(file)).toContain(replace);
  });
});
