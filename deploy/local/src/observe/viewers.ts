import { goModuleFolder, type GoModule, type Log } from '@stechuhr/local-infra';

/** VictoriaMetrics' pages (vmui): dashboards and queries for Prometheus. Its sources contain the built pages. */
const VMUI: GoModule = {
  path: 'github.com/VictoriaMetrics/VictoriaMetrics',
  version: 'v1.130.0',
  sum: 'h1:It3L+g6JF6V8vaFIXTKZxLDmY8l1AtYNdeXWwgjsuhY=',
};

/** Jaeger's pages (1.68), built and compressed, as used by `docker buildx history trace`; Jaeger's own sources do not contain them. */
const JAEGER_UI: GoModule = {
  path: 'github.com/tonistiigi/jaeger-ui-rest',
  version: 'v0.0.0-20250408171107-3dd17559e117',
  sum: 'h1:XFwyh2JZwR5aiKLXHX2C1n0v5F11dCJpyGL1W/Cpl3U=',
};

/** Folders with the pages of the viewers. */
export interface Viewers {
  readonly vmui: string;
  /** Its files are compressed with gzip. */
  readonly jaeger: string;
}

/**
 * Downloads the viewers' pages, once per machine.
 * @throws if Go or the modules are not available
 */
export async function fetchViewers(log: Log): Promise<Viewers> {
  const jaeger = await goModuleFolder(JAEGER_UI, 'public', log);
  return { jaeger, vmui: await goModuleFolder(VMUI, 'app/vmselect/vmui', log) };
}
