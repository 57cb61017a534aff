import { isPublicAddress } from './public-address.js';

const HTTPS_PORT = 443;
/** Lower ports belong to system services such as mail, DNS and SSH. */
const FIRST_FREE_PORT = 1024;
const ADDRESS = /^(\[.*\]|[\d.]+)$/;
/** Last labels of names in private networks (RFC 6761, RFC 6762, and ICANN's reservation of `internal`). */
const PRIVATE_DOMAINS: ReadonlySet<string> = new Set(['internal', 'local', 'localhost']);

/**
 * Returns the problem of a webhook address; undefined if it is valid. The IP addresses of a public name are checked only when a
 * connection is established.
 *
 * @param allowedHosts names and addresses that need not be public
 */
export function problemOfUrl(text: string, allowedHosts: readonly string[]): string | undefined {
  if (!URL.canParse(text)) return 'Enter a valid URL.';
  const { protocol, username, password, port, hash } = new URL(text);
  const host = hostOf(text);
  if (protocol !== 'https:') return 'The URL must start with https://.';
  if (username !== '' || password !== '') return 'The URL must not contain a user name or password.';
  if (hash !== '' || text.includes('#')) return 'The URL must not contain a fragment.';
  if (port !== '' && Number(port) !== HTTPS_PORT && Number(port) < FIRST_FREE_PORT) {
    return `The port must be ${String(HTTPS_PORT)} or at least ${String(FIRST_FREE_PORT)}.`;
  }
  if (allowedHosts.includes(host)) return undefined;
  if (isAddress(new URL(text).hostname)) return isPublicAddress(host) ? undefined : 'The address is not public.';
  return isPublicName(host) ? undefined : 'The host is not public.';
}

/** Returns the host of a URL: an IPv6 address without brackets, a name without its trailing dot. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
}

/** Whether a name may be public: it has a domain, and not one that is reserved for private networks. */
function isPublicName(host: string): boolean {
  const labels = host.split('.');
  return labels.length > 1 && !PRIVATE_DOMAINS.has(labels.at(-1) ?? '');
}

function isAddress(hostname: string): boolean {
  return ADDRESS.test(hostname);
}
