import { publicBaseOf } from '../http/links.js';
import { JSON_HEADERS } from '../http/send-stream.js';
import { DOCS_PAGE, DOCS_SECURITY_POLICY, type DocsAsset, docsAssets } from '../pages/docs-page.js';
import { BASE_PATH, type CallerRoute, type Exchange, type OpenRoute, type Route } from './route.js';

/** Returns the root of the API, which lists each available group with its address. */
export function rootRoute(served: readonly Route[]): CallerRoute {
  const groups = served.flatMap((route) => (route.authenticated && route.group !== undefined ? [[route.group, route.path] as const] : []));
  return {
    path: BASE_PATH,
    name: 'Api Root',
    description: 'The groups of the API and their addresses.',
    authenticated: true,
    operations: {
      GET: {
        strictScope: null,
        jsonOnly: true,
        handle: ({ answer, publicBase }) => answer(Object.fromEntries(groups.map(([group, path]) => [group, publicBase + path]))),
      },
    },
  };
}

/**
 * Returns the routes of the OpenAPI document, which includes itself, and its page. Creating the document takes a tenth of a second, and few
 * processes serve it. It is therefore created for the first request and kept as bytes, so that frequent or slow readers cost little.
 */
export function openApiRoutes(others: readonly Route[], publicUrl: string | undefined): OpenRoute[] {
  let making: Promise<DocumentText> | undefined;
  const serve = (handle: (exchange: Exchange) => Promise<void> | void) => ({
    GET: { handle: async (exchange: Exchange) => handle(exchange) },
  });
  const routes: OpenRoute[] = [
    {
      path: `${BASE_PATH}openapi.json`,
      name: 'OpenAPI',
      description: 'The API as an OpenAPI document.',
      authenticated: false,
      operations: serve(async ({ request, response }) => {
        const url = `${publicBaseOf(publicUrl, { protocol: request.protocol, host: request.host })}${BASE_PATH.slice(0, -1)}`;
        const { start, rest } = await (making ??= describe([...others, ...routes]));
        const head = Buffer.from(`${start},"servers":${JSON.stringify([{ url }])},`);
        response.writeHead(200, { ...JSON_HEADERS, 'Content-Length': head.byteLength + rest.byteLength });
        response.write(head);
        response.end(rest);
      }),
    },
    {
      path: `${BASE_PATH}docs/`,
      name: 'Docs',
      description: 'The documentation of the API as a web page.',
      authenticated: false,
      operations: serve(({ response }) => {
        response.setHeader('Content-Security-Policy', DOCS_SECURITY_POLICY);
        response.type('html').send(DOCS_PAGE);
      }),
    },
  ];
  return [...routes, ...docsAssets().map(assetRoute)];
}

/** The document as JSON in two parts. `servers`, which depends on the request, is inserted between them. */
interface DocumentText {
  readonly start: string;
  readonly rest: Buffer;
}

async function describe(routes: readonly Route[]): Promise<DocumentText> {
  const { openApiDocument } = await import('../openapi/document.js');
  const { openapi, info, ...rest } = openApiDocument(routes);
  return { start: JSON.stringify({ openapi, info }).slice(0, -1), rest: Buffer.from(JSON.stringify(rest).slice(1)) };
}

/**
 * Returns the route of a file of the page. It is the same for all clients and changes only with a release. The viewer, 2 MB, is read from
 * disk instead of being kept in memory.
 */
function assetRoute(asset: DocsAsset): OpenRoute {
  const { name, type } = asset;
  return {
    path: `${BASE_PATH}docs/${name}`,
    name,
    description: 'A file of the documentation page.',
    isAsset: true,
    authenticated: false,
    operations: {
      GET: {
        handle: ({ response }) => {
          response.setHeader('Cache-Control', 'public, max-age=3600');
          response.type(type);
          if ('folder' in asset) response.sendFile(name, { root: asset.folder });
          else response.send(asset.content);
          return Promise.resolve();
        },
      },
    },
  };
}
