import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';

/**
 * Sets the route of an HTTP request, so that its span and its metrics have it as `http.route` (OpenTelemetry, HTTP conventions).
 *
 * @param route with the names of its open segments, never the requested path
 */
export function nameRoute(route: string): void {
  const metadata = getRPCMetadata(context.active());
  if (metadata !== undefined) metadata.route = route;
}
