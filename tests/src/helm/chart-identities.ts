import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rendered } from './chart.js';

/** As Kubernetes mounts the certificate of a service: `<folder>/<name>/{ca.crt,tls.crt,tls.key}`. */
export function mountCertificate(release: Rendered, name: string, folder: string): string {
  const mounted = join(folder, name);
  mkdirSync(mounted, { recursive: true });
  const files = release.object('Secret', `demo-stechuhr-${name}-tls`)['data'] as Readonly<Record<string, string>>;
  for (const [file, base64] of Object.entries(files)) writeFileSync(join(mounted, file), Buffer.from(base64, 'base64'));
  return mounted;
}

/** A variable of a service as the chart sets it; undefined where it does not. */
export function variableOf(release: Rendered, name: string, variable: string): string | undefined {
  const [container] = release.object('Deployment', `demo-stechuhr-${name}`)['spec'].template.spec.containers;
  const variables = container.env as readonly { readonly name: string; readonly value?: string }[];
  return variables.find((each) => each.name === variable)?.value;
}

/** Has the chart make its certificates for this machine too, where no DNS knows the names of Services. */
export function forThisMachine(chart: string): void {
  const file = join(chart, 'templates/certificates.yaml');
  const template = readFileSync(file, 'utf8');
  const edited = template.replace('genSignedCert . nil', 'genSignedCert . (list "127.0.0.1")');
  if (edited === template) throw new Error('the template of certificates is another one');
  writeFileSync(file, edited);
}
