import { attachment } from '@stechuhr/kernel';
import { ALGORITHM, timestamp, type SignerV4 } from './signature-v4.js';

/** Response headers for the object, regardless of its stored metadata. */
export interface PresentedAs {
  /** The name under which a browser saves the object instead of displaying it. */
  readonly fileName?: string;
  readonly contentType?: string;
}

interface SignedGet {
  /** URL of the bucket. */
  readonly url: URL;
  readonly key: string;
  readonly expiresSeconds: number;
  readonly as: PresentedAs;
  readonly at: Date;
}

/** Returns a URL with the signature in its query (AWS, "Authenticating Requests: Using Query Parameters"). */
export function presignGet(signer: SignerV4, { url, key, expiresSeconds, as, at }: SignedGet): string {
  const path = `${url.pathname}/${key.split('/').map(encode).join('/')}`;
  const parameters: [string, string][] = [
    ['X-Amz-Algorithm', ALGORITHM],
    ['X-Amz-Credential', signer.credential(at)],
    ['X-Amz-Date', timestamp(at)],
    ['X-Amz-Expires', String(expiresSeconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ];
  if (as.fileName !== undefined) parameters.push(['response-content-disposition', attachment(as.fileName)]);
  if (as.contentType !== undefined) parameters.push(['response-content-type', as.contentType]);
  const query = parameters.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  const canonical = ['GET', path, query, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  return `${url.origin}${path}?${query}&X-Amz-Signature=${signer.signRequest(canonical, at)}`;
}

/** Percent-encodes everything except the unreserved characters (RFC 3986, 2.3). */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
