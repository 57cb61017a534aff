import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The dashboards of the chart, as Grafana reads them; `scripts/dashboards.mjs` makes them. */
export const DASHBOARDS = fileURLToPath(new URL('../../../../helm/stechuhr/files/dashboards', import.meta.url));

/** What is read of a dashboard of Grafana. */
export interface GrafanaDashboard {
  readonly title: string;
  readonly panels: readonly {
    readonly title: string;
    readonly description: string;
    readonly fieldConfig: { readonly defaults: { readonly unit: string } };
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

/** A dashboard as vmui takes it from `/vmui/custom-dashboards`. */
export interface VmuiDashboard {
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly VmuiPanel[] }[];
}

interface VmuiPanel {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly expr: readonly string[];
  /** How the series of each expression are called. */
  readonly alias: readonly string[];
  readonly showLegend: boolean;
  /** Of 12 columns. */
  readonly width: number;
}

/** vmui writes a unit behind a number as it is: units of Grafana, what stands for them, and what their values are divided or multiplied by. */
const UNITS: Readonly<Record<string, readonly [unit: string, factor?: string]>> = {
  reqps: ['/s'],
  cps: ['/s'],
  rowsps: ['/s'],
  Bps: ['KiB/s', '/ 1024'],
  bytes: ['MiB', '/ 1048576'],
  percentunit: ['%', '* 100'],
  s: ['s'],
  none: [''],
  short: [''],
};

const COLUMNS = 6;

/** The dashboards of the chart, the overview first. @throws when one has a unit that is not known here */
export function vmuiDashboards(services: readonly string[]): VmuiDashboard[] {
  const files = readdirSync(DASHBOARDS).toSorted((left, right) => Number(right === 'overview.json') - Number(left === 'overview.json'));
  return files.map((file) => toVmui(JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as GrafanaDashboard, services));
}

/** One dashboard. vmui has no variables: where a dashboard is of `$service`, each service has a row of its own. */
export function toVmui({ title, panels }: GrafanaDashboard, services: readonly string[]): VmuiDashboard {
  const name = title.replace(/^Stechuhr: /, '');
  const isOfService = panels.some(({ targets }) => targets.some(({ expr }) => expr.includes('$service')));
  const row = (rowTitle: string, service = ''): VmuiDashboard['rows'][number] => ({
    title: rowTitle,
    panels: panels.map((panel) => toVmuiPanel(panel, service)),
  });
  return { title: name, rows: isOfService ? services.map((service) => row(service, service)) : [row(name)] };
}

function toVmuiPanel({ title, description, fieldConfig, targets }: GrafanaDashboard['panels'][number], service: string): VmuiPanel {
  const { unit: grafanaUnit } = fieldConfig.defaults;
  const [unit, factor] = UNITS[grafanaUnit] ?? [];
  if (unit === undefined) throw new Error(`${title}: no unit of vmui for ${grafanaUnit}`);
  return {
    title,
    description,
    unit,
    expr: targets.map(({ expr }) => scaled(onThisMachine(expr).replaceAll('$service', service), factor)),
    alias: targets.map(({ legendFormat }) => legendFormat),
    showLegend: true,
    width: COLUMNS,
  };
}

/** Prometheus scrapes every five seconds here, and there is one installation. */
function onThisMachine(expr: string): string {
  return expr
    .replaceAll('$__rate_interval', '1m')
    .replaceAll(/\{namespace=~"\$namespace", release=~"\$release"\}|namespace=~"\$namespace", release=~"\$release", /g, '');
}

function scaled(expr: string, factor: string | undefined): string {
  return factor === undefined ? expr : `(${expr}) ${factor}`;
}
