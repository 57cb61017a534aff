import type { RequestHandler } from 'express';
import type { Logger } from '@stechuhr/kernel';
import { requestIdOf } from '../http/request.js';

const PROBES = new Set<string | undefined>(['/healthz', '/readyz']);

/**
 * Gives each request its id and logs how it ended. The route stands for the path: paths and queries of clients may hold anything, secrets
 * included.
 */
export function accessLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request.get('X-Request-Id'));
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      // Express sets the route when one matches; its types do not know when.
      const { path: route } = (request.route ?? {}) as { readonly path?: string };
      const level = PROBES.has(route) ? 'debug' : 'info';
      const outcome = { status: response.statusCode, complete: response.writableFinished };
      const duration_ms = Math.round(performance.now() - startedAt);
      logger[level]({ request_id: requestId, method: request.method, route, ...outcome, duration_ms }, 'request');
    });
    next();
  };
}
