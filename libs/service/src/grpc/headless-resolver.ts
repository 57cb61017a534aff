import { experimental, type ChannelOptions } from '@grpc/grpc-js';

type Resolver = experimental.Resolver;
type Listener = experimental.ResolverListener;
type Target = Parameters<typeof experimental.createResolver>[0];

/** How often a name is resolved again although all connections are working. */
const REFRESH_MS = 3_000;
const SCHEME = 'headless';

/**
 * Resolves DNS as grpc-js does, and again every few seconds. grpc-js itself resolves only after a connection has ended. A client would then learn of
 * a new replica only when a known one stops, and its calls would have to wait for a connection or fail; and it would keep using a replica that DNS no
 * longer returns until that one stops.
 */
class HeadlessResolver implements Resolver {
  private readonly dns: Resolver;
  private readonly timer: NodeJS.Timeout;
  private known = '';
  /** Whether it was requested because a connection has ended. */
  private isAsked = true;

  constructor(target: Target, listener: Listener, options: ChannelOptions) {
    const notify: Listener = (endpoints, ...rest) => {
      // In an order of its own, since servers of DNS rotate their answers.
      const found = endpoints.ok
        ? endpoints.value
            .map(({ addresses }) => JSON.stringify(addresses))
            .sort()
            .join()
        : '';
      const isNews = found !== '' && found !== this.known;
      // A response without news, or none, must not disturb existing connections.
      if (!this.isAsked && !isNews) return true;
      if (endpoints.ok) this.isAsked = false;
      this.known = found;
      return listener(endpoints, ...rest);
    };
    this.dns = experimental.createResolver({ ...target, scheme: 'dns' }, notify, options);
    this.timer = setInterval(() => this.dns.updateResolution(), REFRESH_MS).unref();
  }

  static getDefaultAuthority({ path }: Target): string {
    return path;
  }

  updateResolution(): void {
    this.isAsked = true;
    this.dns.updateResolution();
  }

  destroy(): void {
    clearInterval(this.timer);
    this.dns.destroy();
  }
}

let isRegistered = false;

/**
 * The target for a client of these replicas.
 * @param address `host:port`
 */
export function headlessTarget(address: string): string {
  if (!isRegistered) experimental.registerResolver(SCHEME, HeadlessResolver);
  isRegistered = true;
  return `${SCHEME}:///${address}`;
}
