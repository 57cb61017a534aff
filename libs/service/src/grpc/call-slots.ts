import { ServerInterceptingCall, type Metadata, type ServerInterceptor } from '@grpc/grpc-js';
import { metrics } from '@opentelemetry/api';
import { AppError, createFairShares } from '@stechuhr/kernel';
import { toStatus } from './status.js';

/**
 * Calls that a server answers at a time by default: four times the requests that a gateway has under way, so that the limit of the gateway is reached
 * first. A call takes some 30 KB of memory, a stream that its caller does not read some 120 KB.
 */
export const CALLS_PER_REPLICA = 2_000;

const refused = metrics.getMeter('@stechuhr/service').createCounter('stechuhr.rpc.refused', {
  description: 'Calls that were refused because the process, or the connection of the caller, had too many under way.',
});

type Limit = 'calls' | 'connection_calls';

/** The slot of a call. It is free again when the call has ended and its handler as well. */
class CallSlot {
  /** The call itself. */
  #holders = 1;

  constructor(private readonly release: () => void) {}

  hold(): void {
    // Nothing is left to hold if the call ended before its handler began.
    if (this.#holders > 0) this.#holders += 1;
  }

  letGo(): void {
    if (this.#holders === 0) return;
    this.#holders -= 1;
    if (this.#holders === 0) this.release();
  }
}

/** By the metadata of the call, which its handler gets as well. */
const slots = new WeakMap<Metadata, CallSlot>();

/**
 * Keeps the slot of a call while its handler works. What a handler has begun for a caller that left goes on for a while: without this, callers with
 * short deadlines could start any amount of work.
 * @returns lets go, once
 */
export function holdSlot(metadata: Metadata): () => void {
  const slot = slots.get(metadata);
  slot?.hold();
  return () => slot?.letGo();
}

/**
 * Limits concurrent calls. When calls arrive faster than they are answered, each additional one makes all others slower and takes memory, in the end all
 * that the process has. A refused call is over at once; its caller may try it again, also at another replica.
 * A connection gets another slot only if at least as many are free as it holds, so that no caller takes all of them.
 *
 * @param max 0 disables the limit
 * @param paths the limited methods; others, such as health checks, are always answered
 */
export function limitCalls(max: number, paths: readonly string[]): ServerInterceptor[] {
  if (max === 0) return [];
  // Initialized with 0, since the first increase of a counter that begins at one would be missed.
  for (const limit of ['calls', 'connection_calls'] satisfies Limit[]) refused.add(0, { limit });
  const limited = new Set(paths);
  const ofConnections = createFairShares(max);
  let free = max;
  const takeSlot = (connection: string): CallSlot | Limit => {
    const share = ofConnections.open(connection);
    if (!share.add(1)) return free === 0 ? 'calls' : 'connection_calls';
    free -= 1;
    return new CallSlot(() => {
      free += 1;
      share.release();
    });
  };
  return [
    ({ path }, call) => {
      if (!limited.has(path)) return new ServerInterceptingCall(call);
      let slot: CallSlot | undefined;
      return new ServerInterceptingCall(call, {
        start: (next) =>
          next({
            onReceiveMetadata(metadata, pass) {
              const taken = takeSlot(call.getPeer());
              if (typeof taken === 'string') {
                refused.add(1, { limit: taken });
                call.sendStatus(toStatus(new AppError('unavailable', 'Too many calls are under way. Try again later.')));
                return;
              }
              slot = taken;
              slots.set(metadata, slot);
              pass(metadata);
            },
            // Called at the end of every call, whatever has ended it.
            onCancel: () => slot?.letGo(),
          }),
      });
    },
  ];
}
