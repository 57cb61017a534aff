import { BASE_PATH, type CallerRoute, type Route } from './route.js';

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
        jsonOnly: true,
        handle: ({ response, publicBase }) => {
          response.json(Object.fromEntries(groups.map(([group, path]) => [group, publicBase + path])));
          return Promise.resolve();
        },
      },
    },
  };
}
