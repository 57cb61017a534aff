import { Resolver } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../domain/public-address.js';

interface LookupOptions {
  /** Timeout of one DNS query in milliseconds; 2 s by default. */
  readonly timeoutMs?: number;
  readonly tries?: number;
  /** `address:port` of the DNS servers; by default those of the machine. */
  readonly servers?: readonly string[];
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Names of the machine itself, for which DNS must not be queried (RFC 6761, 6.3). */
const LOCALHOST = /(^|\.)localhost\.?$/i;

/** A name has an address that is not on the public internet. */
export class NotPublic extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
}

/** A name has no address, or DNS does not return one. */
export class Unresolvable extends Error {
  readonly code = 'ENOTFOUND';
}

interface Found {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Creates the lookup function for connections. A name with any address that is not public cannot be resolved. DNS is queried directly over
 * own sockets, because `dns.lookup` would occupy one of the few threads that files and other names need, for as long as a slow name server
 * does not respond.
 */
export function createPublicLookup({ timeoutMs = TIMEOUT_MS, tries = TRIES, servers }: LookupOptions = {}): LookupFunction {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers([...servers]);
  return (hostname, options, callback) => {
    const answer = ({ found, error }: Answers): void => {
      const [first] = found;
      if (first === undefined) callback(error ?? new Unresolvable(`${hostname} has no address.`), '');
      else if (!found.every(({ address }) => isPublicAddress(address))) callback(new NotPublic('An address is not public.'), '');
      else if (options.all === true) callback(null, [...found]);
      else callback(null, first.address, first.family);
    };
    if (LOCALHOST.test(hostname)) callback(new NotPublic('It is this machine.'), '');
    else
      void Promise.all([addressesOf(resolver, hostname, 4), addressesOf(resolver, hostname, 6)]).then(([four, six]) =>
        answer({ found: [...four.found, ...six.found], error: four.error ?? six.error }),
      );
  };
}

interface Answers {
  readonly found: readonly Found[];
  readonly error?: Error | undefined;
}

/** Returns the addresses of one family. Anything that is not an IP address is ignored. */
function addressesOf(resolver: Resolver, hostname: string, family: Found['family']): Promise<Answers> {
  return new Promise((settle) => {
    const answered = (error: NodeJS.ErrnoException | null, addresses: readonly string[]): void => {
      if (error !== null) settle({ found: [], error: new Unresolvable(`${hostname}: ${error.code ?? error.message}`) });
      else settle({ found: addresses.filter((address) => isIP(address) === family).map((address) => ({ address, family })) });
    };
    if (family === 4) resolver.resolve4(hostname, answered);
    else resolver.resolve6(hostname, answered);
  });
}
