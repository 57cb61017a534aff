import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loopbackCertificate } from '@stechuhr/testing';
import { certificateTimes } from '../src/observe-certificates.js';

const DAY_MS = 86_400_000;
const LIFETIME_DAYS = 31;
/** At this time, the test certificate expires in thirty days. */
const now = Date.UTC(2026, 3, 1);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stechuhr-certificate-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function write({ cert, key }: { readonly cert: string; readonly key: string }, authorities: readonly string[]): void {
  for (const [file, text] of Object.entries({ 'ca.crt': authorities.join(''), 'tls.crt': cert, 'tls.key': key }))
    writeFileSync(join(folder, file), text);
}

it('returns no certificate times while there are no files', () => {
  expect(certificateTimes(folder)(now)).toEqual([]);
});

it('returns the certificate times of the service and its authority, not of other trusted authorities', () => {
  const own = loopbackCertificate('records', now - 25 * DAY_MS);
  const former = loopbackCertificate('former', now - 29 * DAY_MS);
  write(own, [former.cert, own.cert]);
  const days = certificateTimes(folder)(now).map(({ certificate, remainingSeconds, lifetimeSeconds }) => ({
    certificate,
    remaining: (remainingSeconds * 1_000) / DAY_MS,
    lifetime: (lifetimeSeconds * 1_000) / DAY_MS,
  }));
  expect(days).toEqual([
    { certificate: 'own', remaining: 5, lifetime: LIFETIME_DAYS },
    { certificate: 'authority', remaining: 5, lifetime: LIFETIME_DAYS },
  ]);
});

it('returns the times of the intermediate certificate if it expires first, negative after its end', () => {
  const own = loopbackCertificate('records', now);
  const between = loopbackCertificate('between', now - 32 * DAY_MS);
  write({ cert: own.cert + between.cert, key: own.key }, []);
  expect(certificateTimes(folder)(now)).toEqual([
    { certificate: 'own', remainingSeconds: -2 * 86_400, lifetimeSeconds: LIFETIME_DAYS * 86_400 },
  ]);
});
