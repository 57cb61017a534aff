import { describe, expect, it } from '@jest/globals';
import { publicBaseOf } from './links.js';

describe('publicBaseOf', () => {
  it.each([
    [undefined, 'http', 'localhost:8080', 'http://localhost:8080'],
    [undefined, 'https', 'api.example.de', 'https://api.example.de'],
    [undefined, 'https', 'api.example.de:443', 'https://api.example.de'],
    [undefined, 'http', '[::1]:8080', 'http://[::1]:8080'],
    [undefined, 'javascript', 'api.example.de', 'http://api.example.de'],
    [undefined, 'http', 'user:secret@api.example.de', 'http://api.example.de'],
    [undefined, 'http', 'a/b', ''],
    [undefined, 'http', 'a b', ''],
    [undefined, 'http', '', ''],
    [undefined, 'http', undefined, ''],
    ['https://stechuhr.example/tenant', 'http', '10.0.0.1:8080', 'https://stechuhr.example/tenant'],
  ])('configured %j, request %s://%s gives %j', (configured, protocol, host, base) => {
    expect(publicBaseOf(configured, { protocol, host })).toBe(base);
  });
});
