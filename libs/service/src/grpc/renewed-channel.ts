import { connectivityState, type ClientOptions } from '@grpc/grpc-js';

/** The channel interface that a client uses; the class of that name has private members. */
type ClientChannel = ReturnType<NonNullable<ClientOptions['channelFactoryOverride']>>;

/** Timeout for establishing a connection, in milliseconds; doubled after each attempt that exceeds it. */
const CONNECT_MS = 2_000;
const MAX_CONNECT_MS = 15_000;

/**
 * Creates a channel that is replaced when it has been connecting for too long; the new one uses the addresses that DNS returns then. If an
 * address does not answer, such as that of a deleted pod or of a process that hangs, grpc-js waits as long as the kernel does (about two
 * minutes). Meanwhile it neither gives up nor resolves the name again.
 *
 * @param make creates a channel with its own connection pool; a shared pool would return the hanging attempt again
 */
export function renewedChannel(make: () => ClientChannel): ClientChannel {
  let channel = make();
  let timeoutMs = CONNECT_MS;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const follow = (): void => {
    clearTimeout(timer);
    if (closed) return;
    const followed = channel;
    const state = followed.getConnectivityState(false);
    if (state === connectivityState.READY) timeoutMs = CONNECT_MS;
    if (state === connectivityState.CONNECTING) timer = setTimeout(renew, timeoutMs).unref();
    followed.watchConnectivityState(state, Infinity, () => followed === channel && follow());
  };
  const renew = (): void => {
    const stuck = channel;
    timeoutMs = Math.min(timeoutMs * 2, MAX_CONNECT_MS);
    channel = make();
    channel.getConnectivityState(true);
    follow();
    stuck.close();
  };

  follow();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      channel.close();
    },
    getTarget: () => channel.getTarget(),
    getConnectivityState: (tryToConnect) => channel.getConnectivityState(tryToConnect),
    watchConnectivityState: (state, deadline, callback) => channel.watchConnectivityState(state, deadline, callback),
    getChannelzRef: () => channel.getChannelzRef(),
    createCall: (...call) => channel.createCall(...call),
  };
}
