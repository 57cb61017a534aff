import type { ObservableResult } from '@opentelemetry/api';
import { interrupted } from './metrics.js';

/** The state of one consumption of a durable, as reported by it. */
export interface ObservedConsumption {
  /** It is requesting messages, and the server accepts that. */
  goesOn(): void;
  /** It cannot receive messages, until it reports otherwise. */
  isInterrupted(): void;
  /** It has stopped. */
  end(): void;
}

interface State {
  readonly durable: string;
  isInterrupted: boolean;
}

const states = new Set<State>();

/** Reports whether a consumer receives messages, whenever metrics are read: while it does not, its backlog is unknown, too. */
export function observeConsumption(durable: string): ObservedConsumption {
  const state: State = { durable, isInterrupted: false };
  if (states.size === 0) interrupted.addCallback(observe);
  states.add(state);
  return {
    goesOn: () => void (state.isInterrupted = false),
    isInterrupted: () => void (state.isInterrupted = true),
    end() {
      states.delete(state);
      if (states.size === 0) interrupted.removeCallback(observe);
    },
  };
}

/** If a durable consumes several streams, one interruption is enough. */
function observe(result: ObservableResult): void {
  const byDurable = Map.groupBy(states, ({ durable }) => durable);
  for (const [durable, ofDurable] of byDurable) result.observe(ofDurable.some(({ isInterrupted }) => isInterrupted) ? 1 : 0, { durable });
}
