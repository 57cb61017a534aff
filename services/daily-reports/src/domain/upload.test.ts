import { describe, expect, it } from '@jest/globals';
import { nextStep, photoKeysOf } from './upload.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const upload = (kept: boolean) => ({ key: 'uploads/i/a/p.jpg', institutionId: 'i', since: 0, kept });

describe('the next step of an upload', () => {
  it.each([
    ['named, at once', { kept: false, isNamed: true, now: 0 }, { do: 'keep', otherwiseAt: 5 * 60_000 }],
    ['named, long after its form', { kept: false, isNamed: true, now: 13 * HOUR_MS }, { do: 'keep', otherwiseAt: undefined }],
    ['kept, while its form can be used', { kept: true, isNamed: true, now: 12 * HOUR_MS }, { do: 'wait', until: 13 * HOUR_MS }],
    ['kept, when its form has ended', { kept: true, isNamed: true, now: 13 * HOUR_MS }, { do: 'clear' }],
    ['named by an entry that is being stored', { kept: false, isNamed: false, now: 1 }, { do: 'wait', until: 5 * 60_000 + 1 }],
    ['named by nothing', { kept: false, isNamed: false, now: DAY_MS }, { do: 'wait', until: 7 * DAY_MS }],
    ['named by nothing for a week', { kept: false, isNamed: false, now: 7 * DAY_MS }, { do: 'discard' }],
    ['kept, but its entry is gone for a week', { kept: true, isNamed: false, now: 7 * DAY_MS }, { do: 'discard' }],
  ])('%s', (_, { kept, isNamed, now }, step) => {
    expect(nextStep(upload(kept), isNamed, now)).toEqual(step);
  });

  it('applies only to photos and their previews', () => {
    const image = { type: 'image' as const, imageId: 'p', latitude: null, longitude: null, takenAt: null };
    expect(photoKeysOf({ ...image, imageKey: 'a', thumbKey: 'b' })).toEqual(['a', 'b']);
    expect(photoKeysOf({ ...image, imageKey: null, thumbKey: null })).toEqual([]);
    expect(photoKeysOf({ type: 'activities', text: 'a' })).toEqual([]);
  });
});
