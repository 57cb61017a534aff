import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';

/**
 * Sets the route of an HTTP request, so that its span and metrics have it as `http.route` (OpenTelemetry, HTTP conventions).
 *
 * @param route the route template with the names of its parameters, never the requested path
 */
export function nameRoute(route: string): void {
  const metadata = getRPCMetadata(context.active());
  if (metadata !== undefined) metadata.route = route;
}
