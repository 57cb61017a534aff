import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.js';

const SET = { MONGODB_URL: 'mongodb://127.0.0.1', NATS_URL: 'nats://127.0.0.1' };

describe('readConfig', () => {
  it('reads an additional authority immediately, and reports why it cannot be read', () => {
    expect(() => readConfig({ ...SET, WEBHOOK_CA_FILE: '/nowhere/ca.pem' })).toThrow(
      'WEBHOOK_CA_FILE: cannot be read: ENOENT: no such file or directory',
    );
    expect(readConfig({ ...SET, WEBHOOK_CA_FILE: import.meta.filename }).targets.authority).toContain('a further authority');
    expect(readConfig({ ...SET, WEBHOOK_CA_FILE: '' }).targets.authority).toBeUndefined();
  });
});
