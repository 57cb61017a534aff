import { connectivityState, type ClientOptions } from '@grpc/grpc-js';

/** What a client needs of a channel; the class of that name has private parts. */
type ClientChannel = ReturnType<NonNullable<ClientOptions['channelFactoryOverride']>>;

/** How long a connection may take to be made, doubled with each attempt that took longer. */
const CONNECT_MS = 2_000;
const MAX_CONNECT_MS = 15_000;

/**
 * A channel that is made anew, with the addresses that DNS names by then, when it has been connecting for too long. grpc-js waits for as long
 * as the kernel does (about two minutes) for an address that does not answer, such as that of a pod which is gone, or of a process that
 * hangs; it neither gives up nor resolves the name again meanwhile.
 *
 * @param make a channel of its own pool of connections, which would hand out the attempt that hangs again
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
