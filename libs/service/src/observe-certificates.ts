import type { X509Certificate } from 'node:crypto';
import { metrics, type BatchObservableResult } from '@opentelemetry/api';
import { ownCertificate, trustedAuthorities } from './grpc/grants/certificate-files.js';

const meter = metrics.getMeter('@stechuhr/service');
const remaining = meter.createObservableGauge('stechuhr.certificate.remaining', {
  unit: 's',
  description: 'Time until the expiry of a certificate that identifies this service to others.',
});
const lifetime = meter.createObservableGauge('stechuhr.certificate.lifetime', {
  unit: 's',
  description: 'Validity period of such a certificate.',
});

/** One certificate of a process. */
export interface CertificateTimes {
  /** `own`: its own certificate, or an intermediate one that expires earlier. `authority`: the one that signed the chain. */
  readonly certificate: 'own' | 'authority';
  /** Negative after it has expired. */
  readonly remainingSeconds: number;
  readonly lifetimeSeconds: number;
}

/**
 * Creates a function that reads the validity of the certificates in a folder; the list is empty while there are no files. Only the
 * authority that signed the chain counts: during a change of authorities, others are trusted as well and may expire. If an authority has
 * several certificates for the same key, the one that expires last counts.
 */
export function certificateTimes(folder: string): (now: number) => CertificateTimes[] {
  const own = ownCertificate(folder);
  const authorities = trustedAuthorities(folder);
  return (now) => {
    const chain = own()?.chain ?? [];
    const top = chain.at(-1);
    const signed = (authorities() ?? []).filter((authority) => top?.verify(authority.publicKey));
    const first = chain.toSorted((left, right) => endOf(left) - endOf(right))[0];
    const last = signed.toSorted((left, right) => endOf(right) - endOf(left))[0];
    return [...timesOf('own', first, now), ...timesOf('authority', last, now)];
  };
}

/**
 * Reports the validity of certificates whenever metrics are read. A failed renewal has no other symptom until the certificate expires and
 * all calls between services fail.
 */
export function observeCertificates(folder: string | undefined): () => void {
  if (folder === undefined) return () => undefined;
  const read = certificateTimes(folder);
  const observe = (result: BatchObservableResult): void => {
    for (const { certificate, remainingSeconds, lifetimeSeconds } of read(Date.now())) {
      result.observe(remaining, remainingSeconds, { certificate });
      result.observe(lifetime, lifetimeSeconds, { certificate });
    }
  };
  meter.addBatchObservableCallback(observe, [remaining, lifetime]);
  return () => meter.removeBatchObservableCallback(observe, [remaining, lifetime]);
}

const endOf = ({ validToDate }: X509Certificate): number => validToDate.getTime();

function timesOf(certificate: CertificateTimes['certificate'], found: X509Certificate | undefined, now: number): CertificateTimes[] {
  if (found === undefined) return [];
  const end = endOf(found);
  return [{ certificate, remainingSeconds: (end - now) / 1_000, lifetimeSeconds: (end - found.validFromDate.getTime()) / 1_000 }];
}
