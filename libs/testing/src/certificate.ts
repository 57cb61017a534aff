import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A self-signed certificate and its key, both in PEM; only processes that are configured for it trust it. */
interface OwnCertificate {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;
const COMMON_NAME = [0x55, 0x04, 0x03];
const ALTERNATIVE_NAME = [0x55, 0x1d, 0x11];
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

/**
 * Creates a self-signed certificate for a host, `localhost` by default, and for 127.0.0.1 (X.509, RFC 5280). It is encoded here because
 * Node itself can only create keys.
 */
export function loopbackCertificate(host = 'localhost', now = Date.now()): OwnCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(der(0x06, ECDSA_WITH_SHA256));
  const name = sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, Buffer.from(host)))));
  const names = sequence(der(0x82, Buffer.from(host)), der(0x87, [127, 0, 0, 1]));
  const content = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [1, ...randomBytes(8)]),
    algorithm,
    name,
    sequence(timeOf(now - DAY_MS), timeOf(now + 30 * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(der(0x06, ALTERNATIVE_NAME), der(0x04, names)))),
  );
  const signature = sign('sha256', content, privateKey);
  const whole = sequence(content, algorithm, der(0x03, [0, ...signature]));
  const lines = whole.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** Encodes tag, length and value. */
function der(tag: number, value: Uint8Array | readonly number[]): Buffer {
  const bytes = Buffer.from(value);
  const size = bytes.byteLength;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}

/** Encodes a GeneralizedTime. */
function timeOf(instant: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(instant).toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`));
}
