import { metrics } from '@opentelemetry/api';
import type { AppError, Logger } from '@stechuhr/kernel';

/** The common part of all kinds of served calls. */
export interface ServedCall {
  getPath(): string;
}

/** A call that is being handled. */
export interface ObservedCall {
  /**
   * Records the duration of the call, and logs the error, whose details the client does not receive. A caller that disconnected is not a
   * failure.
   */
  ended(error?: AppError, callerLeft?: boolean): void;
}

const duration = metrics.getMeter('@stechuhr/service').createHistogram('stechuhr.rpc.server.duration', {
  unit: 's',
  description: 'Time from the request to the end of the response.',
  // From a lookup to an export of a year.
  advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] },
});

const loggers = new WeakMap<ServedCall, Logger>();

/** Sets the logger for failures of a call; the server has it, the handler does not. */
export function logCallTo(call: ServedCall, logger: Logger): void {
  loggers.set(call, logger);
}

/** Starts measuring a call. */
export function observeCall(call: ServedCall): ObservedCall {
  const startedAt = performance.now();
  const logger = loggers.get(call);
  const method = call.getPath().slice(1);
  return {
    ended(error, callerLeft = false) {
      const code = callerLeft ? 'cancelled' : (error?.code ?? 'ok');
      duration.record((performance.now() - startedAt) / 1000, { 'rpc.method': method, code });
      if (error === undefined || callerLeft) return;
      if (error.code === 'internal') logger?.error({ method, err: error.cause ?? error }, 'call failed');
      if (error.code === 'unavailable') logger?.warn({ method, err: error }, 'call failed: a dependency is unavailable');
    },
  };
}
