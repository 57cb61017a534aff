import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { AppError, ownTimeLimit } from '@stechuhr/kernel';
import { ALGORITHM, SignerV4, timestamp, type Credentials } from './signature-v4.js';

/** A user of the store: an access key that may do what its policy says. */
export interface StoreUser {
  readonly name: string;
  readonly secretKey: string;
  /** As AWS writes policies; the user's policy has its name. */
  readonly policy: object;
}

/** The store, and the key of its administrator. */
export interface StoreAdministrator extends Credentials {
  readonly endpoint: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Gives a store of MinIO's family (MinIO, Silo) users, each with its policy; what exists is brought up to date.
 *
 * @throws AppError `unavailable` when the store does not answer, `internal` with its answer when it refuses
 */
export async function provideStoreUsers(store: StoreAdministrator, users: readonly StoreUser[]): Promise<void> {
  for (const { name, secretKey, policy } of users) {
    await ask(store, 'add-canned-policy', { name }, JSON.stringify(policy));
    const user = JSON.stringify({ secretKey, status: 'enabled' });
    await ask(store, 'add-user', { accessKey: name }, sealed(store.secretKey, user));
    await ask(store, 'set-user-or-group-policy', { isGroup: 'false', policyName: name, userOrGroup: name }, '');
  }
}

/** One request to the store's administration, signed as a request for an object. */
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
 * What the administration takes instead of plain text, encrypted with the administrator's key (madmin-go, EncryptData): a salt, the kind of
 * encryption, a nonce, and one fragment of AES-256-GCM as sio-go writes it. A text has to be shorter than a fragment, which is 16 KiB.
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
  // What is said about a fragment: whether it is the last one, and the seal of nothing.
  const last = Buffer.concat([Buffer.of(0x80), seal(0, '', Buffer.alloc(0))]);
  return Buffer.concat([salt, Buffer.of(PBKDF2_AES_GCM), nonce, seal(1, text, last)]);
}
