import { InterceptingCall, type Interceptor } from '@grpc/grpc-js';

/** Holds back the messages of a call until its reader asks for them. */
export interface MessageGate {
  /** Of the call; it serves no other. */
  readonly interceptor: Interceptor;
  /** Lets the next message through, now or when it comes. */
  ask(): void;
}

/**
 * grpc-js reads sixteen messages ahead of a reader, whatever their size: those of a slow client would fill the heap. With a gate it is one,
 * and what the flow control of the connection allows.
 */
export function messageGate(): MessageGate {
  let asked = 0;
  let held: (() => void) | undefined;
  const release = () => {
    const deliver = held;
    held = undefined;
    deliver?.();
  };
  return {
    ask() {
      if (held === undefined) asked += 1;
      else release();
    },
    interceptor: (options, nextCall) =>
      new InterceptingCall(nextCall(options), {
        start(metadata, _listener, next) {
          next(metadata, {
            onReceiveMessage(message, deliver) {
              held = () => deliver(message);
              if (asked === 0) return;
              asked -= 1;
              release();
            },
            // It would wait for the message, which nobody who has left will ask for.
            onReceiveStatus(status, deliver) {
              release();
              deliver(status);
            },
          });
        },
      }),
  };
}
