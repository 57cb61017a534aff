import { exporterNames, referencePageNames } from '@stechuhr/exporting';
import { securityPolicy, STYLE } from '../pages/assets.js';
import { renderReferencePage } from '../pages/reference-page.js';
import { BASE_PATH, type OpenRoute } from './route.js';

const POLICY = securityPolicy(STYLE);

/** The reference pages of exporters: four for each, without authentication. */
export function referencePageRoutes(): OpenRoute[] {
  return exporterNames.flatMap((exporter) =>
    referencePageNames.map((name): OpenRoute => {
      const exportPath = `${BASE_PATH}exports/${exporter}/`;
      const page = renderReferencePage(exporter, name, exportPath);
      return {
        path: `${exportPath}${name}/`,
        name: `Export ${exporter} ${name}`,
        description: `The ${name} of the exporter as a reference page.`,
        authenticated: false,
        operations: {
          GET: {
            handle: ({ response }) => {
              response.setHeader('Content-Security-Policy', POLICY);
              response.type('html').send(page);
              return Promise.resolve();
            },
          },
        },
      };
    }),
  );
}
