import { experimental, type ChannelOptions } from '@grpc/grpc-js';

type Resolver = experimental.Resolver;
type Listener = experimental.ResolverListener;
type Target = Parameters<typeof experimental.createResolver>[0];

/** How often a name is looked up although every connection is well. */
const REFRESH_MS = 3_000;
const SCHEME = 'headless';

/**
 * DNS as grpc-js asks it, and again every few seconds. grpc-js asks only when a connection has ended: a client would hear of a new replica
 * when the one that it knows stops, and its calls would have to wait for the connection, or fail; and it would leave a replica that DNS no
 * longer names only when that one stops.
 */
class HeadlessResolver implements Resolver {
  private readonly dns: Resolver;
  private readonly timer: NodeJS.Timeout;
  private known = '';
  /** Whether it was asked for because a connection has ended. */
  private isAsked = true;

  constructor(target: Target, listener: Listener, options: ChannelOptions) {
    const tell: Listener = (endpoints, ...rest) => {
      const found = endpoints.ok ? JSON.stringify(endpoints.value.map(({ addresses }) => addresses).sort()) : '';
      const isNews = found !== '' && found !== this.known;
      // What is known is worked with: an answer that brings nothing new, or none, disturbs no connection.
      if (!this.isAsked && !isNews) return true;
      if (endpoints.ok) this.isAsked = false;
      this.known = found;
      return listener(endpoints, ...rest);
    };
    this.dns = experimental.createResolver({ ...target, scheme: 'dns' }, tell, options);
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

/** The target of a client of these replicas. @param address `host:port` */
export function headlessTarget(address: string): string {
  if (!isRegistered) experimental.registerResolver(SCHEME, HeadlessResolver);
  isRegistered = true;
  return `${SCHEME}:///${address}`;
}
