import { ask } from '../clients/services.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';
import { runExport, type ExportDependencies } from './run-export.js';

const EXPORTERS = {
  generic: 'Tracked time, planned time and absences, with rows and columns of your choice.',
  payroll_a: 'Wage records in a fixed layout with a header row.',
  payroll_b: 'Wage records in a fixed layout without a header row.',
  multi: 'Several configurations of the generic export in one file.',
};

const GROUP_PATH = `${BASE_PATH}exports/`;

export function exportRoutes(dependencies: ExportDependencies): CallerRoute[] {
  const map: CallerRoute = {
    path: GROUP_PATH,
    name: 'Exports',
    description: 'The exporters and their addresses.',
    authenticated: true,
    group: 'exports',
    operations: { GET: { strictScope: 'exports:run', jsonOnly: true, handle: (exchange) => answerExporters(dependencies, exchange) } },
  };
  const runs = Object.entries(EXPORTERS).map(([exporter, description]): CallerRoute => ({
    path: `${GROUP_PATH}${exporter}/`,
    name: `Export ${exporter}`,
    description,
    authenticated: true,
    operations: { GET: { strictScope: 'exports:run', handle: (exchange) => runExport(dependencies, exporter, exchange) } },
  }));
  return [map, ...runs];
}

async function answerExporters({ exports }: ExportDependencies, { answer, signal, publicBase }: CallerExchange): Promise<void> {
  const { exporters } = await ask(exports, exports.listExporters, {}, { signal, idempotent: true });
  return answer(Object.fromEntries(exporters.map((exporter) => [exporter, `${publicBase}${GROUP_PATH}${exporter}/`])));
}
