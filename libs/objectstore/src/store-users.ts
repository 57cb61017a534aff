import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { AppError, ownTimeLimit } from '@stechuhr/kernel';
import { ALGORITHM, SignerV4, timestamp, type Credentials } from './signature-v4.js';

/** A user of the store: an access key with the permissions of its policy. */
export interface StoreUser {
  readonly name: string;
  readonly secretKey: string;
  /** In the format of AWS; the policy gets the name of the user. */
  readonly policy: object;
}

/** The store, and the credentials of its administrator. */
export interface StoreAdministrator extends Credentials {
  readonly endpoint: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Creates users with their policies in a MinIO-compatible store (MinIO, Silo), and updates existing ones.
 *
 * @throws AppError `unavailable` when the store does not answer, `internal` with its answer when it refuses
 */
export async function provideStoreUsers(store: StoreAdministrator, users: readonly StoreUser[]): Promise<void> {
  for (const { name, secretKey, policy } of users) {
    await ask(store, 'add-canned-policy', { name }, JSON.stringify(policy));
    const user = JSON.stringify({ secretKey, status: 'enabled' });
    await ask(store, 'add-user', { accessKey: name }, encrypted(store.secretKey, user));
    await ask(store, 'set-user-or-group-policy', { isGroup: 'false', policyName: name, userOrGroup: name }, '');
  }
}

/** Sends a request to the administration API of the store, signed like an object request. */
async function ask(
  store: StoreAdministrator,
  operation: string,
  query: Readonly<Record<string, string>>,
  body: string | Buffer,
): Promise<void> {
  const url = new URL(`/minio/admin/v3/${operation}?${new URLSearchParams(query).toString()}`, store.endpoint);
  const at = new Date();
  const hash = createHash('sha256').update(body).digest('hex');
  const headers = { host: url.host, 'x-amz-content-sha256': hash, 'x-amz-date': timestamp(at) };
  const signed = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const signer = new SignerV4(store);
  const signature = signer.signRequest(['PUT', url.pathname, url.search.slice(1), lines.join(''), signed, hash].join('\n'), at);
  const authorization = `${ALGORITHM} Credential=${signer.credential(at)}, SignedHeaders=${signed}, Signature=${signature}`;
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { ...headers, authorization },
    body,
    signal: ownTimeLimit(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new AppError('unavailable', 'The object store does not answer.', { cause });
  });
  const text = await answer.text();
  if (!answer.ok) throw new AppError('internal', `The object store refuses ${operation}: ${String(answer.status)} ${text}`);
}

const PBKDF2_AES_GCM = 2;
const ITERATIONS = 8192;

/**
 * Encrypts a text with the administrator's key, as the administration API requires (madmin-go, EncryptData). The result consists of a salt,
 * the algorithm, a nonce, and one AES-256-GCM fragment in the format of sio-go. The text has to be shorter than a fragment, which is 16
 * KiB.
 */
function encrypted(password: string, text: string): Buffer {
  const salt = randomBytes(32);
  const nonce = randomBytes(8);
  const key = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const seal = (counter: number, data: string, about: Buffer): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32LE(counter);
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.concat([nonce, count])).setAAD(about);
    return Buffer.concat([cipher.update(data, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  };
  // The associated data of the fragment: a flag that marks the last fragment, and the authentication tag of an empty text.
  const last = Buffer.concat([Buffer.of(0x80), seal(0, '', Buffer.alloc(0))]);
  return Buffer.concat([salt, Buffer.of(PBKDF2_AES_GCM), nonce, seal(1, text, last)]);
}
