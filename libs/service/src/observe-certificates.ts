import type { X509Certificate } from 'node:crypto';
import { metrics, type BatchObservableResult } from '@opentelemetry/api';
import { ownCertificate, trustedAuthorities } from './grpc/grants/certificate-files.js';

const meter = metrics.getMeter('@stechuhr/service');
const remaining = meter.createObservableGauge('stechuhr.certificate.remaining', {
  unit: 's',
  description: 'Time until a certificate ends by which services know this one.',
});
const lifetime = meter.createObservableGauge('stechuhr.certificate.lifetime', {
  unit: 's',
  description: 'Time from the beginning to the end of such a certificate.',
});

/** One of the certificates of a process. */
export interface CertificateTimes {
  /** `own`: its own, or one between it and the authority that ends before it. `authority`: the one that has signed it. */
  readonly certificate: 'own' | 'authority';
  /** Negative when it has ended. */
  readonly remainingSeconds: number;
  readonly lifetimeSeconds: number;
}

/**
 * Reads the certificates in a folder; none while there are no files. Of the authorities that are trusted it is the one that has signed: another one is
 * there while one takes over from the other, and may end. An authority's second certificate for the same key counts where it lasts longer.
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

/** Reports whenever metrics are read. A renewal that fails says nothing by itself, and then no call between services succeeds any more. */
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
