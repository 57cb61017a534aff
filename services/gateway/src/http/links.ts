/** Where clients find us, as far as a request tells. */
interface RequestOrigin {
  /** From the connection, or from a trusted proxy's `X-Forwarded-Proto`. */
  readonly protocol: string;
  /** `host[:port]` of the Host header or of a trusted proxy's `X-Forwarded-Host`. */
  readonly host: string | undefined;
}

/**
 * The address in front of every path, without a trailing slash: the configured one, else what the request was sent to. What is no address
 * gives an empty one, so that links stay usable as paths.
 */
export function publicBaseOf(configured: string | undefined, origin: RequestOrigin): string {
  if (configured !== undefined) return configured;
  const protocol = origin.protocol === 'https' ? 'https' : 'http';
  const base = `${protocol}://${origin.host ?? ''}`;
  return URL.canParse(base) && new URL(base).pathname === '/' ? new URL(base).origin : '';
}
