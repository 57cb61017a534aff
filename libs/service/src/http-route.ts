import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';

/**
 * Sets the route of an HTTP request, so that its span and metrics contain it as `http.route` (OpenTelemetry, HTTP conventions).
 * @param route with the names of its variable segments, never the requested path
 */
export function nameRoute(route: string): void {
  const metadata = getRPCMetadata(context.active());
  if (metadata !== undefined) metadata.route = route;
}
