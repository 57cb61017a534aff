import { setImmediate } from 'node:timers/promises';
import type {
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServerDuplexStream,
  ServerWritableStream,
} from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';
import { openContext, type CallContext } from './call-context.js';
import { inTurn } from './institution-turns.js';
import { observeCall } from './observed-call.js';
import { toStatus } from './status.js';

interface UnaryHandling {
  /**
   * Whether a call is handled at once, however many of its institution are being handled. For those that take long or wait in a queue of their own:
   * they would make short calls of the institution wait.
   */
  readonly atOnce?: boolean;
}

/**
 * Converts an async function to a unary gRPC handler. A server handles a limited number of calls of an institution at a time
 * ({@link inTurn}). Errors become a status (an AppError keeps its code and details).
 */
export function unary<Req, Res>(
  handler: (request: Req, call: CallContext) => Promise<Res>,
  { atOnce = false }: UnaryHandling = {},
): handleUnaryCall<Req, Res> {
  return (call, callback) => {
    const observed = observeCall(call);
    const context = openContext(call);
    const handle = async () => handler(call.request, context);
    const answered = atOnce ? handle() : inTurn(call, context.signal, handle);
    answered.then(
      (response) => {
        context.answered();
        observed.ended();
        callback(null, response);
      },
      (caught: unknown) => {
        const error = AppError.from(caught);
        observed.ended(error, context.signal.aborted);
        context.answered();
        callback(toStatus(error));
      },
    );
  };
}

/**
 * Converts an async generator to a server-streaming handler. The next message is requested only when the client has room. When the client
 * disconnects, or the call is ended, the generator is returned early (its `finally` blocks run).
 */
export function serverStream<Req, Res>(
  handler: (request: Req, call: CallContext) => AsyncIterable<Res>,
): handleServerStreamingCall<Req, Res> {
  return (call) => void answerStream(call, (context) => handler(call.request, context));
}

/**
 * Converts an async generator over the requests to a bidirectional handler, with backpressure in both directions. The requests end only
 * when the client has ended them; if it disconnects before, reading them throws.
 */
export function bidiStream<Req, Res>(
  handler: (requests: AsyncIterable<Req>, call: CallContext) => AsyncIterable<Res>,
): handleBidiStreamingCall<Req, Res> {
  return (call) => {
    void answerStream(call, (context) => handler(requestsOf<Req>(call, context.signal), context));
  };
}

async function* requestsOf<Req>(call: ServerDuplexStream<Req, unknown>, signal: AbortSignal): AsyncGenerator<Req, void, undefined> {
  // Iterating a duplex stream to its end would otherwise destroy it, including the responses.
  yield* call.iterator({ destroyOnReturn: false });
  // If the client disconnects, grpc-js first reports the end of the requests, and only then the disconnection.
  await setImmediate();
  signal.throwIfAborted();
}

interface Sender<Res> {
  /**
   * Sends a message; resolves once at most one waits to go out, or the call has ended. grpc-js would take sixteen, whatever their size, before it says
   * that the client has no room.
   */
  send(message: Res): Promise<void>;
  /** Resolves once no message waits to go out, or the call has ended. */
  flush(): Promise<void>;
}

function sender<Res>(call: ResponseStream<Res>, signal: AbortSignal): Sender<Res> {
  let waiting = 0;
  let goOn: (() => void) | undefined;
  const sent = () => {
    waiting -= 1;
    goOn?.();
  };
  signal.addEventListener('abort', () => goOn?.(), { once: true });
  const room = async (atMost: 0 | 1) => {
    if (waiting > atMost && !signal.aborted) await new Promise<void>((resolve) => (goOn = resolve));
  };
  return {
    send(message) {
      waiting += 1;
      call.write(message, sent);
      return room(1);
    },
    flush: () => room(0),
  };
}

type ResponseStream<Res> = ServerWritableStream<unknown, Res> | ServerDuplexStream<unknown, Res>;

async function answerStream<Res>(call: ResponseStream<Res>, open: (context: CallContext) => AsyncIterable<Res>): Promise<void> {
  const observed = observeCall(call);
  const context = openContext(call);
  const messages = sender(call, context.signal);
  const isAborted = () => context.signal.aborted;
  try {
    for await (const message of open(context)) {
      if (isAborted()) break;
      await messages.send(message);
      // A generator resumed now may wait for the abort, which has been.
      if (isAborted()) break;
    }
    // While the last message waits for its reader, the call can still be ended.
    await messages.flush();
    context.signal.throwIfAborted();
    context.answered();
    observed.ended();
    call.end();
  } catch (caught) {
    const error = AppError.from(isAborted() ? context.signal.reason : caught);
    observed.ended(error, context.hasLeft());
    context.answered();
    if (!context.hasLeft()) call.emit('error', toStatus(error));
  }
}
