import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The dashboards of the chart, as Grafana reads them. */
export const DASHBOARDS = fileURLToPath(new URL('../../../../helm/stechuhr/files/dashboards', import.meta.url));

/** Their names, the first that one looks at first. */
export function dashboardNames(): string[] {
  const names = readdirSync(DASHBOARDS).map((file) => file.replace(/\.json$/, ''));
  return names.sort((left, right) => Number(right === 'overview') - Number(left === 'overview') || left.localeCompare(right));
}

/** One of them as JSON; undefined where there is none of this name. */
export function dashboard(name: string): string | undefined {
  return dashboardNames().includes(name) ? readFileSync(join(DASHBOARDS, `${name}.json`), 'utf8') : undefined;
}
