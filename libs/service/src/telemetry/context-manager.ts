import { EventEmitter } from 'node:events';
import type { Context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';

/**
 * Binds a context to an event emitter by one function. The instrumentations bind every request, response and call, and the base class
 * replaces eight methods of each, with a WeakMap for each event: half of the CPU time of a request that the gateway answers by itself.
 */
export class ContextManager extends AsyncLocalStorageContextManager {
  /**
   * Binds a context to a function, or to an emitter: all its listeners, including earlier ones, run in this context. If an emitter is bound
   * again, its first context counts.
   */
  override bind<T>(context: Context, target: T): T {
    if (!(target instanceof EventEmitter)) return super.bind(context, target);
    const emit = target.emit.bind(target) as (...event: unknown[]) => boolean;
    target.emit = (...event: unknown[]) => (this.active() === context ? emit(...event) : this.with(context, emit, undefined, ...event));
    return target;
  }
}
