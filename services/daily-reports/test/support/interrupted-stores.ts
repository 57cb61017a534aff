import type { Stores } from '../../src/store/stores.js';

/** An interruption of an operation, right before or after a method of a store. */
export interface Interruption {
  readonly store: 'entries' | 'reports';
  readonly method: string;
  readonly before: boolean;
  /** The action at the interruption, called with the arguments of the method. By default the process crashes. */
  readonly act?: (...given: readonly unknown[]) => Promise<void>;
}

/** Wraps the real stores with the current interruption. */
export function interruptedStores(current: () => Interruption | undefined): (stores: Stores) => Stores {
  const around = <T extends object>(name: Interruption['store'], store: T): T =>
    new Proxy(store, {
      get(target, property, receiver) {
        const method: unknown = Reflect.get(target, property, receiver);
        const interruption = current();
        if (typeof method !== 'function' || interruption?.store !== name || interruption.method !== property) return method;
        const { before, act = die } = interruption;
        return async (...given: unknown[]) => {
          if (before) await act(...given);
          const result: unknown = await Reflect.apply(method, target, given);
          if (!before) await act(...given);
          return result;
        };
      },
    });
  return (stores) => ({ ...stores, entries: around('entries', stores.entries), reports: around('reports', stores.reports) });
}

function die(): Promise<void> {
  return Promise.reject(new Error('killed'));
}
