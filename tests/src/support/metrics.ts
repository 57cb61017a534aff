import { call } from './http.js';

/** Returns the sum of all series of a metric of a service; 0 if there are none. */
export async function metric(service: { readonly admin: string } | undefined, name: string): Promise<number> {
  const { text } = await call(`http://${service?.admin}/metrics`);
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'gm'))].map(([, value]) => Number(value));
  return values.reduce((sum, value) => sum + value, 0);
}
