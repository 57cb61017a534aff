import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac, randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { startS3 } from '@stechuhr/local-infra';
import { connectObjectStore, createAddresses, type ObjectStore, type PostForm, type PostSignature } from '@stechuhr/objectstore';

const HOUR_MS = 3_600_000;
const MAX_BYTES = 2_097_152;
const SIGNATURES: readonly PostSignature[] = ['v2', 'v4'];

const buckets = { ours: `ours-${randomBytes(4).toString('hex')}`, other: `other-${randomBytes(4).toString('hex')}` };
let server: Awaited<ReturnType<typeof startS3>>;
let store: ObjectStore;

beforeAll(async () => {
  server = await startS3();
  store = connectObjectStore({ ...server.address, bucket: buckets.ours });
  await store.ensureBucket();
  await connectObjectStore({ ...server.address, bucket: buckets.other }).ensureBucket();
});

afterAll(() => server.stop());

let keys = 0;

/** A form for a new key, created some hours ago and valid for twelve hours. */
function formOf(postSignature: PostSignature, hoursAgo = 0): PostForm {
  const clock = { now: () => Date.now() - hoursAgo * HOUR_MS };
  keys += 1;
  const rule = { key: `uploads/a/b/${keys}.jpg`, maxBytes: MAX_BYTES, expiresAt: new Date(clock.now() + 12 * HOUR_MS) };
  return createAddresses({ ...server.address, bucket: buckets.ours, postSignature, clock }).postForm(rule);
}

/** The request that a browser sends. */
async function post({ url, fields }: PostForm, sizeBytes: number): Promise<number> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob([randomBytes(sizeBytes)], { type: 'image/jpeg' }), 'IMG 1.jpg');
  const response = await fetch(url, { method: 'POST', body });
  await response.arrayBuffer();
  return response.status;
}

const keyOf = ({ fields }: PostForm) => fields['key'] ?? '';
const withField = ({ url, fields }: PostForm, name: string, value: string): PostForm => ({ url, fields: { ...fields, [name]: value } });
const withoutField = ({ url, fields }: PostForm, name: string): PostForm => ({
  url,
  fields: Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name)),
});

/** The same form with another policy and the old signature. */
function withPolicy(form: PostForm, change: (policy: string) => string): PostForm {
  const policy = Buffer.from(form.fields['policy'] ?? '', 'base64').toString('utf8');
  return withField(form, 'policy', Buffer.from(change(policy)).toString('base64'));
}

describe('a form of version 2', () => {
  it('has four fields and the documented policy', () => {
    const { url, fields } = createAddresses({ ...server.address, bucket: buckets.ours }).postForm({
      key: 'uploads/a/b/c.jpg',
      maxBytes: MAX_BYTES,
      expiresAt: new Date('2026-11-21T12:00:00Z'),
    });
    expect(url).toBe(`${server.address.endpoint}/${buckets.ours}`);
    expect(Object.keys(fields)).toEqual(['key', 'AWSAccessKeyId', 'policy', 'signature']);
    expect(fields).toMatchObject({ key: 'uploads/a/b/c.jpg', AWSAccessKeyId: server.address.accessKey });
    const { policy = '', signature } = fields;
    expect(JSON.parse(Buffer.from(policy, 'base64').toString('utf8'))).toEqual({
      expiration: '2026-11-21T12:00:00.000Z',
      conditions: [{ bucket: buckets.ours }, { key: 'uploads/a/b/c.jpg' }, ['content-length-range', 1, 2_097_152]],
    });
    expect(signature).toBe(createHmac('sha1', server.address.secretKey).update(policy).digest('base64'));
  });
});

describe.each(SIGNATURES)('a form of signature %s', (version) => {
  it.each([
    ['1 byte', 1],
    ['the maximum size', MAX_BYTES],
  ])('stores %s', async (_, sizeBytes) => {
    const form = formOf(version);
    expect(await post(form, sizeBytes)).toBe(204);
    expect(await store.stat(keyOf(form))).toMatchObject({ sizeBytes });
  });

  it('is accepted shortly before it expires', async () => {
    expect(await post(formOf(version, 11.99), 10)).toBe(204);
  });

  const signature = version === 'v2' ? 'signature' : 'x-amz-signature';
  const accessKey = version === 'v2' ? 'AWSAccessKeyId' : 'x-amz-credential';
  const refused: readonly [string, (form: PostForm) => PostForm, number?][] = [
    ['another key', (form) => withField(form, 'key', 'uploads/a/other/1.jpg')],
    ['a key that climbs', (form) => withField(form, 'key', keyOf(form).replace('/b/', '/b/../c/'))],
    ['one byte too many', (form) => form, MAX_BYTES + 1],
    ['nothing', (form) => form, 0],
    ['another signature', (form) => withField(form, signature, (form.fields[signature] ?? '').split('').reverse().join(''))],
    ['somebody else’s access key', (form) => withField(form, accessKey, (form.fields[accessKey] ?? '').replace(/^\w+/, 'nobody'))],
    ['a longer life', (form) => withPolicy(form, (policy) => policy.replace(/"20\d\d/, '"2999'))],
    ['a larger size', (form) => withPolicy(form, (policy) => policy.replace(String(MAX_BYTES), String(MAX_BYTES * 10))), MAX_BYTES + 1],
    ['another bucket', ({ url, fields }) => ({ url: url.replace(buckets.ours, buckets.other), fields })],
    ['no key', (form) => withoutField(form, 'key')],
    ['no access key', (form) => withoutField(form, accessKey)],
    ['no policy', (form) => withoutField(form, 'policy')],
    ['no signature', (form) => withoutField(form, signature)],
    ['no field at all', ({ url }) => ({ url, fields: {} })],
  ];
  it.each(refused)('refuses %s', async (_, change, sizeBytes = 10) => {
    const form = formOf(version);
    const changed = change(form);
    expect(await post(changed, sizeBytes)).toBeGreaterThanOrEqual(400);
    // Reading a key with `..` is refused as well; what matters is the key that it would resolve to.
    for (const key of new Set([form, changed].map((each) => posix.normalize(keyOf(each)))))
      expect(key === '.' ? undefined : await store.stat(key)).toBeUndefined();
  });

  it('is refused after it has expired', async () => {
    const form = formOf(version, 12.01);
    expect(await post(form, 10)).toBeGreaterThanOrEqual(400);
    expect(await store.stat(keyOf(form))).toBeUndefined();
  });
});
