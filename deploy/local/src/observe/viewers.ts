import { goModuleFolder, type GoModule, type Log } from '@stechuhr/local-infra';

/** vmui, the pages of VictoriaMetrics: dashboards and queries for Prometheus. The module contains the built pages. */
const VMUI: GoModule = {
  path: 'github.com/VictoriaMetrics/VictoriaMetrics',
  version: 'v1.130.0',
  sum: 'h1:It3L+g6JF6V8vaFIXTKZxLDmY8l1AtYNdeXWwgjsuhY=',
};

/**
 * Jaeger's pages (1.68), built and compressed; `docker buildx history trace` uses them. Jaeger's own module does not contain built pages.
 */
const JAEGER_UI: GoModule = {
  path: 'github.com/tonistiigi/jaeger-ui-rest',
  version: 'v0.0.0-20250408171107-3dd17559e117',
  sum: 'h1:XFwyh2JZwR5aiKLXHX2C1n0v5F11dCJpyGL1W/Cpl3U=',
};

/** Folders with the pages of the viewers. */
export interface Viewers {
  readonly vmui: string;
  /** The files in this folder are compressed with gzip. */
  readonly jaeger: string;
}

/** Fetches the pages of the viewers, once per machine. @throws Error if Go or the modules cannot be fetched */
export async function fetchViewers(log: Log): Promise<Viewers> {
  const jaeger = await goModuleFolder(JAEGER_UI, 'public', log);
  return { jaeger, vmui: await goModuleFolder(VMUI, 'app/vmselect/vmui', log) };
}
