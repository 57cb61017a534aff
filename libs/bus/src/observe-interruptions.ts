import type { ObservableResult } from '@opentelemetry/api';
import { interrupted } from './metrics.js';

/** What one consumption of a durable says of itself. */
export interface ObservedConsumption {
  /** It asks for messages, and the server knows what for. */
  goesOn(): void;
  /** It cannot, until it says otherwise. */
  isInterrupted(): void;
  /** It has stopped. */
  end(): void;
}

interface State {
  readonly durable: string;
  isInterrupted: boolean;
}

const states = new Set<State>();

/** Reports whether a consumer takes messages, whenever metrics are read: while it cannot, nobody knows its backlog either. */
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

/** Of a durable that takes from several streams, one is enough. */
function observe(result: ObservableResult): void {
  const byDurable = Map.groupBy(states, ({ durable }) => durable);
  for (const [durable, ofDurable] of byDurable) result.observe(ofDurable.some(({ isInterrupted }) => isInterrupted) ? 1 : 0, { durable });
}
