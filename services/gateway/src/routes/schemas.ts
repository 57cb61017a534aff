import { recordSchemas } from '@stechuhr/contracts';
import { publicBaseOf } from '../http/links.js';
import { BASE_PATH, type OpenRoute } from './route.js';

const PATH = `${BASE_PATH}schemas/`;

/** The JSON Schemas of the records that imports and live objects consist of. */
export function schemaRoutes(publicUrl: string | undefined): OpenRoute[] {
  const schemas = recordSchemas();
  const list: OpenRoute = {
    path: PATH,
    name: 'Schemas',
    description: 'The kinds of records and the addresses of their JSON Schemas.',
    authenticated: false,
    operations: {
      GET: {
        jsonOnly: true,
        handle: ({ request, response }) => {
          const publicBase = publicBaseOf(publicUrl, { protocol: request.protocol, host: request.host });
          response.json(Object.fromEntries([...schemas.keys()].map((kind) => [kind, `${publicBase}${PATH}${kind}/`])));
          return Promise.resolve();
        },
      },
    },
  };
  const each = Array.from(schemas, ([kind, schema]): OpenRoute => ({
    path: `${PATH}${kind}/`,
    name: `Schema ${kind}`,
    description: `The JSON Schema of the kind ${kind}.`,
    authenticated: false,
    operations: {
      GET: {
        handle: ({ response }) => {
          response.json(schema);
          return Promise.resolve();
        },
      },
    },
  }));
  return [list, ...each];
}
