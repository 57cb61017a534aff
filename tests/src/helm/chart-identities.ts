import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rendered } from './chart.js';

/** Writes the certificate of a service like a Kubernetes mount: `<folder>/<name>/{ca.crt,tls.crt,tls.key}`. @returns the folder */
export function mountCertificate(release: Rendered, name: string, folder: string): string {
  const mounted = join(folder, name);
  mkdirSync(mounted, { recursive: true });
  const files = release.object('Secret', `demo-stechuhr-${name}-tls`)['data'] as Readonly<Record<string, string>>;
  for (const [file, base64] of Object.entries(files)) writeFileSync(join(mounted, file), Buffer.from(base64, 'base64'));
  return mounted;
}

/** Returns a variable of a service as set by the chart; undefined if it is not set. */
export function variableOf(release: Rendered, name: string, variable: string): string | undefined {
  const [container] = release.object('Deployment', `demo-stechuhr-${name}`)['spec'].template.spec.containers;
  const variables = container.env as readonly { readonly name: string; readonly value?: string }[];
  return variables.find((each) => each.name === variable)?.value;
}

/** Makes the certificates of the chart valid for this machine too, because its DNS does not resolve the names of Services. */
export function forThisMachine(chart: string): void {
  const file = join(chart, 'templates/certificates.yaml');
  const template = readFileSync(file, 'utf8');
  const edited = template.replace('genSignedCert . nil', 'genSignedCert . (list "127.0.0.1")');
  if (edited === template) throw new Error('the template of certificates has changed');
  writeFileSync(file, edited);
}
