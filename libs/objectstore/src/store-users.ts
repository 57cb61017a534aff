import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { AppError, ownTimeLimit } from '@stechuhr/kernel';
import { ALGORITHM, SignerV4, timestamp, type Credentials } from './signature-v4.js';

/** A user of the store: an access key with a policy. */
export interface StoreUser {
  readonly name: string;
  readonly secretKey: string;
  /** In the format of AWS; the policy gets the name of the user. */
  readonly policy: object;
}

/** The store, with the credentials of its administrator. */
export interface StoreAdministrator extends Credentials {
  readonly endpoint: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Creates or updates users with their policies in a store of MinIO's family (MinIO, Silo).
 * @throws AppError `unavailable` if the store does not answer, `internal` with its response if it refuses
 */
export async function provideStoreUsers(store: StoreAdministrator, users: readonly StoreUser[]): Promise<void> {
  for (const { name, secretKey, policy } of users) {
    await ask(store, 'add-canned-policy', { name }, JSON.stringify(policy));
    const user = JSON.stringify({ secretKey, status: 'enabled' });
    await ask(store, 'add-user', { accessKey: name }, sealed(store.secretKey, user));
    await ask(store, 'set-user-or-group-policy', { isGroup: 'false', policyName: name, userOrGroup: name }, '');
  }
}

/** Sends a request to the administration API, signed like a request for an object. */
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
 * Encrypts a text for the administration API with the administrator's key (madmin-go, EncryptData): a salt, the kind of encryption, a nonce, and one
 * fragment of AES-256-GCM in the format of sio-go. The text must be shorter than a fragment, which is 16 KiB.
 */
function sealed(password: string, text: string): Buffer {
  const salt = randomBytes(32);
  const nonce = randomBytes(8);
  const key = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const seal = (counter: number, data: string, about: Buffer): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32LE(counter);
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.concat([nonce, count])).setAAD(about);
    return Buffer.concat([cipher.update(data, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  };
  // The additional data of a fragment: whether it is the last one, and the tag of an empty one.
  const last = Buffer.concat([Buffer.of(0x80), seal(0, '', Buffer.alloc(0))]);
  return Buffer.concat([salt, Buffer.of(PBKDF2_AES_GCM), nonce, seal(1, text, last)]);
}
