import { describe, expect, it } from '@jest/globals';
import { hostOf, problemOfUrl } from './target-url.js';

describe('the address of a webhook', () => {
  it.each([
    'https://example.com/',
    'https://example.com:443/hooks?key=a',
    'https://example.com:8443/hooks',
    'https://93.184.216.34/',
    'https://[2606:4700::1111]/',
    'HTTPS://EXAMPLE.COM',
    'https://example.com./',
    'https://local.example.com/',
    // It never resolves, which each delivery then says.
    'https://name.invalid/',
  ])('may be %s', (url) => {
    expect(problemOfUrl(url, [])).toBeUndefined();
  });

  it.each([
    ['example.com', 'Enter a valid URL.'],
    ['https://', 'Enter a valid URL.'],
    ['https://example.com:99999/', 'Enter a valid URL.'],
    ['http://example.com/', 'The URL must start with https://.'],
    ['ftp://example.com/', 'The URL must start with https://.'],
    ['https://user@example.com/', 'The URL must not contain a user name or password.'],
    ['https://:secret@example.com/', 'The URL must not contain a user name or password.'],
    ['https://example.com/#there', 'The URL must not contain a fragment.'],
    ['https://example.com/#', 'The URL must not contain a fragment.'],
    ['https://example.com:25/', 'The port must be 443 or at least 1024.'],
    ['https://example.com:0/', 'The port must be 443 or at least 1024.'],
    ['https://127.0.0.1/', 'The address is not public.'],
    // Other notations of 127.0.0.1.
    ['https://2130706433/', 'The address is not public.'],
    ['https://0x7f.1/', 'The address is not public.'],
    ['https://0177.0.0.1/', 'The address is not public.'],
    ['https://127.0.0.1./', 'The address is not public.'],
    ['https://[::1]/', 'The address is not public.'],
    ['https://[::ffff:10.0.0.1]/', 'The address is not public.'],
    ['https://169.254.169.254/latest/meta-data', 'The address is not public.'],
    ['https://localhost/', 'The host is not public.'],
    ['https://LOCALHOST./', 'The host is not public.'],
    ['https://records:8080/', 'The host is not public.'],
    ['https://printer.local/', 'The host is not public.'],
    ['https://metadata.google.internal/', 'The host is not public.'],
  ])('may not be %s', (url, problem) => {
    expect(problemOfUrl(url, [])).toBe(problem);
  });

  it('may be private where the operator allows its host', () => {
    expect(problemOfUrl('https://127.0.0.1:8443/', ['127.0.0.1'])).toBeUndefined();
    expect(problemOfUrl('https://[::1]:8443/', ['::1'])).toBeUndefined();
    expect(problemOfUrl('https://localhost:8443/', ['localhost'])).toBeUndefined();
    expect(problemOfUrl('https://relay.internal/', ['relay.internal'])).toBeUndefined();
    expect(problemOfUrl('http://127.0.0.1/', ['127.0.0.1'])).toBe('The URL must start with https://.');
  });

  it('has a host without brackets and last dot', () => {
    expect(hostOf('https://[::1]:1/')).toBe('::1');
    expect(hostOf('https://Example.com./')).toBe('example.com');
  });
});
