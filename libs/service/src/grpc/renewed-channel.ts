import { connectivityState, type ClientOptions } from '@grpc/grpc-js';

/** The parts of a channel that a client needs; the class itself has private members. */
type ClientChannel = ReturnType<NonNullable<ClientOptions['channelFactoryOverride']>>;

/** How long establishing a connection may take; doubled after each attempt that took longer. */
const CONNECT_MS = 2_000;
const MAX_CONNECT_MS = 15_000;

/**
 * A channel that is recreated, with the current addresses from DNS, if it has been connecting for too long. grpc-js waits as long as the kernel
 * (about two minutes) for an address that does not answer, such as that of a removed pod or of a hanging process, and does not resolve the name again
 * meanwhile.
 * @param make creates a channel with its own connection pool, since a shared pool would return the hanging attempt
 */
export function renewedChannel(make: () => ClientChannel): ClientChannel {
  let channel = make();
  let patienceMs = CONNECT_MS;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const follow = (): void => {
    clearTimeout(timer);
    if (closed) return;
    const followed = channel;
    const state = followed.getConnectivityState(false);
    if (state === connectivityState.READY) patienceMs = CONNECT_MS;
    if (state === connectivityState.CONNECTING) timer = setTimeout(renew, patienceMs).unref();
    followed.watchConnectivityState(state, Infinity, () => followed === channel && follow());
  };
  const renew = (): void => {
    const stuck = channel;
    patienceMs = Math.min(patienceMs * 2, MAX_CONNECT_MS);
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
