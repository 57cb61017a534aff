import type { RequestHandler } from 'express';
import type { Logger } from '@stechuhr/kernel';
import { outcomeOf } from '../http/answers.js';
import { requestIdOf } from '../http/request.js';
import { countResponse } from '../metrics.js';

const PROBES = new Set<string | undefined>(['/healthz', '/readyz']);

/**
 * Assigns an id to each request, logs its outcome and counts the response. The route is logged instead of the path, because paths and
 * queries may contain anything, including secrets.
 */
export function accessLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request.get('X-Request-Id'));
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      // Express sets the route once one matches; its types do not reflect this.
      const { path: route } = (request.route ?? {}) as { readonly path?: string };
      const isProbe = PROBES.has(route);
      const level = isProbe ? 'debug' : 'info';
      if (!isProbe) countResponse(outcomeOf(response));
      const outcome = { status: response.statusCode, complete: response.writableFinished };
      const duration_ms = Math.round(performance.now() - startedAt);
      logger[level]({ request_id: requestId, method: request.method, route, ...outcome, duration_ms }, 'request');
    });
    next();
  };
}
