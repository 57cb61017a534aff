import { describe, expect, it } from '@jest/globals';
import { isFederalState } from './federal-states.js';

describe('isFederalState', () => {
  it.each(['DE-BY', 'DE-TH'])('accepts %s', (value) => {
    expect(isFederalState(value)).toBe(true);
  });

  it.each(['', 'BY', 'de-by', 'DE-XX', 'AT-1', 'DE'])('rejects %p', (value) => {
    expect(isFederalState(value)).toBe(false);
  });
});
