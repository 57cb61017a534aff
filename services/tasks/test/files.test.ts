import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startS3 } from '@stechuhr/local-infra';
import { connectObjectStore } from '@stechuhr/objectstore';
import { openHttpGate, type HttpGate } from '@stechuhr/testing';
import { createFiles } from '../src/clients/files.js';

let server: Awaited<ReturnType<typeof startS3>>;
let gate: HttpGate;
beforeAll(async () => {
  server = await startS3();
  gate = await openHttpGate(new URL(server.address.endpoint).host);
});
afterAll(async () => {
  await gate.stop();
  await server.stop();
});

it('a file is removed after the parts of its upload, so that an upload that completes in between leaves nothing', async () => {
  const s3 = { ...server.address, endpoint: `http://${gate.address}` };
  const files = createFiles({ s3, publicEndpoint: s3.endpoint });
  await connectObjectStore(s3).ensureBucket();
  const asked: string[] = [];
  gate.judge(({ method, path }) => void asked.push(path.includes('upload') ? 'parts' : method));
  await files.remove(['exports/a/b/1.csv']);
  expect(asked).toEqual(['parts', 'parts', 'DELETE']);
});
