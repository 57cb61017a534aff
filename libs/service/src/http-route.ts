import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';

/**
 * Says which route a request of HTTP took, so that its span and its metrics carry it as `http.route` (OpenTelemetry, HTTP conventions).
 *
 * @param route with the names of its open segments, never the path that was asked for
 */
export function nameRoute(route: string): void {
  const metadata = getRPCMetadata(context.active());
  if (metadata !== undefined) metadata.route = route;
}
