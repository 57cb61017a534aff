import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the chart's Grafana dashboards, which `scripts/dashboards.mjs` generates. */
export const DASHBOARDS = fileURLToPath(new URL('../../../../helm/stechuhr/files/dashboards', import.meta.url));

/** The part of a Grafana dashboard that is read here. */
export interface GrafanaDashboard {
  readonly title: string;
  readonly panels: readonly {
    readonly title: string;
    readonly description: string;
    readonly fieldConfig: { readonly defaults: { readonly unit: string } };
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

/** A dashboard as vmui reads it from `/vmui/custom-dashboards`. */
export interface VmuiDashboard {
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly VmuiPanel[] }[];
}

interface VmuiPanel {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly expr: readonly string[];
  /** The legend of each expression. */
  readonly alias: readonly string[];
  readonly showLegend: boolean;
  /** Number of columns, of 12. */
  readonly width: number;
}

/** Units of Grafana with their text in vmui, which it appends to a number as it is, and an operation that scales the values accordingly. */
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

/** Returns the dashboards of the chart, the overview first. @throws Error if a panel has an unknown unit */
export function vmuiDashboards(services: readonly string[]): VmuiDashboard[] {
  const files = readdirSync(DASHBOARDS).toSorted((left, right) => Number(right === 'overview.json') - Number(left === 'overview.json'));
  return files.map((file) => toVmui(JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as GrafanaDashboard, services));
}

/** Converts a dashboard. vmui has no variables, so a dashboard that uses `$service` gets one row for each service. */
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
  if (unit === undefined) throw new Error(`${title}: vmui has no unit for ${grafanaUnit}`);
  return {
    title,
    description,
    unit,
    expr: targets.map(({ expr }) => scaled(withoutVariables(expr).replaceAll('$service', service), factor)),
    alias: targets.map(({ legendFormat }) => legendFormat),
    showLegend: true,
    width: COLUMNS,
  };
}

/**
 * Replaces Grafana's variables: Prometheus scrapes every five seconds here, and there is only one installation, so no namespace or release.
 */
function withoutVariables(expr: string): string {
  return expr
    .replaceAll('$__rate_interval', '1m')
    .replaceAll(/\{namespace=~"\$namespace", release=~"\$release"\}|namespace=~"\$namespace", release=~"\$release", /g, '');
}

function scaled(expr: string, factor: string | undefined): string {
  return factor === undefined ? expr : `(${expr}) ${factor}`;
}
