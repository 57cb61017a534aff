import { publicBaseOf } from '../http/links.js';
import { JSON_HEADERS } from '../http/send-stream.js';
import { DOCS_PAGE, DOCS_SECURITY_POLICY, type DocsAsset, docsAssets } from '../pages/docs-page.js';
import { BASE_PATH, type CallerRoute, type Exchange, type OpenRoute, type Route } from './route.js';

/** The map of the API: each group that is served, with its address. */
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
        handle: ({ response, publicBase }) => {
          response.json(Object.fromEntries(groups.map(([group, path]) => [group, publicBase + path])));
          return Promise.resolve();
        },
      },
    },
  };
}

/**
 * The description of the API, for programs and for people; it includes itself. Few processes are asked for it, and it takes a tenth of a second:
 * so it is made for the first request, and kept as the bytes that everybody gets: whoever asks often, or does not read, costs little.
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
      description: 'The API as a page.',
      authenticated: false,
      operations: serve(({ response }) => {
        response.setHeader('Content-Security-Policy', DOCS_SECURITY_POLICY);
        response.type('html').send(DOCS_PAGE);
      }),
    },
  ];
  return [...routes, ...docsAssets().map(assetRoute)];
}

/** The document as JSON: `servers`, which depend on the request, stand between. */
interface DocumentText {
  readonly start: string;
  readonly rest: Buffer;
}

async function describe(routes: readonly Route[]): Promise<DocumentText> {
  const { openApiDocument } = await import('../openapi/document.js');
  const { openapi, info, ...rest } = openApiDocument(routes);
  return { start: JSON.stringify({ openapi, info }).slice(0, -1), rest: Buffer.from(JSON.stringify(rest).slice(1)) };
}

/** What the page loads is the same for everybody and changes with a release only. The viewer, 2 MB, is not kept in memory for it. */
function assetRoute(asset: DocsAsset): OpenRoute {
  const { name, type } = asset;
  return {
    path: `${BASE_PATH}docs/${name}`,
    name,
    description: 'A part of the page.',
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
