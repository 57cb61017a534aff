import { exporterNames, referencePageNames } from '@stechuhr/exporting';
import type { Clock } from '@stechuhr/kernel';
import { localDayOf } from '@stechuhr/worktime';
import { securityPolicy, STYLE } from '../pages/assets.js';
import { renderReferencePage } from '../pages/reference-page.js';
import { BASE_PATH, type OpenRoute } from './route.js';

const POLICY = securityPolicy(STYLE);

/** The reference pages of exporters: four for each, without authentication. */
export function referencePageRoutes(clock: Clock): OpenRoute[] {
  return exporterNames.flatMap((exporter) =>
    referencePageNames.map((name): OpenRoute => {
      const exportPath = `${BASE_PATH}exports/${exporter}/`;
      return {
        path: `${exportPath}${name}/`,
        name: `Export ${exporter} ${name}`,
        description: `The ${name} of the exporter as a reference page.`,
        authenticated: false,
        operations: {
          GET: {
            handle: ({ response }) => {
              response.setHeader('Content-Security-Policy', POLICY);
              const today = localDayOf(clock.now() / 1000);
              response.type('html').send(renderReferencePage(exporter, name, { exportPath, today }));
              return Promise.resolve();
            },
          },
        },
      };
    }),
  );
}
