import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicLookup } from './public-lookup.js';

const A = 1;
const AAAA = 28;
/** The records of the DNS server, as bytes of addresses. It does not respond to names that begin with `silent`. */
const zone: Readonly<Record<string, Readonly<Record<number, readonly (readonly number[])[]>>>> = {
  'public.example': { [A]: [[93, 184, 216, 34]], [AAAA]: [[0x26, 0x06, 0x47, 0, ...Array<number>(11).fill(0), 0x11]] },
  'four.example': { [A]: [[93, 184, 216, 34]] },
  'mixed.example': {
    [A]: [
      [93, 184, 216, 34],
      [10, 0, 0, 1],
    ],
  },
  'inside.example': { [A]: [[93, 184, 216, 34]], [AAAA]: [[0xfd, ...Array<number>(14).fill(0), 1]] },
};

/** Returns the response to a DNS query (RFC 1035, 4.1): the question, then each address with a pointer to its name. */
function answerTo(question: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.').toLowerCase();
  if (name.startsWith('silent')) return undefined;
  const type = question.readUInt16BE(at + 1);
  const known = zone[name];
  const addresses = known?.[type] ?? [];
  const header = Buffer.alloc(12);
  question.copy(header, 0, 0, 2);
  // Flags: response, recursion desired and available. Code 3 is NXDOMAIN.
  header.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address]));
  return Buffer.concat([header, question.subarray(12, at + 5), ...records]);
}

let server: Socket;
let address: string;
const silent = new Set<number>();

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (question, from) => {
    const answer = answerTo(question);
    if (answer === undefined) silent.add(question.readUInt16BE(0));
    else server.send(answer, from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  address = `127.0.0.1:${String(server.address().port)}`;
});
afterAll(() => void server.close());

function find(lookup: ReturnType<typeof createPublicLookup>, name: string, all = true): Promise<unknown> {
  return new Promise((settle, reject) =>
    lookup(name, { all }, (error, found: string | LookupAddress[], family) =>
      error === null ? settle(all ? found : [found, family]) : reject(error),
    ),
  );
}

describe('a lookup of targets', () => {
  it('finds the addresses of both families, IPv4 first', async () => {
    const lookup = createPublicLookup({ servers: [address] });
    expect(await find(lookup, 'public.example')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::11', family: 6 },
    ]);
    expect(await find(lookup, 'public.example', false)).toEqual(['93.184.216.34', 4]);
    expect(await find(lookup, 'four.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it.each([
    ['mixed.example', 'ADDRESS_NOT_PUBLIC'],
    ['inside.example', 'ADDRESS_NOT_PUBLIC'],
    ['localhost', 'ADDRESS_NOT_PUBLIC'],
    ['any.localhost.', 'ADDRESS_NOT_PUBLIC'],
    ['unknown.example', 'ENOTFOUND'],
    ['silent.example', 'ENOTFOUND'],
  ])('finds no address for %s: %s', async (name, code) => {
    // Only the silent name takes until the timeout.
    const timeoutMs = name === 'silent.example' ? 50 : 60_000;
    await expect(find(createPublicLookup({ servers: [address], timeoutMs, tries: 1 }), name)).rejects.toMatchObject({ code });
  });

  it('is not delayed by names whose servers do not respond', async () => {
    const lookup = createPublicLookup({ servers: [address], timeoutMs: 5_000, tries: 1 });
    const before = silent.size;
    let ended = 0;
    const waiting = Array.from({ length: 40 }, (_, index) => find(lookup, `silent${String(index)}.example`).finally(() => (ended += 1)));
    await find(lookup, 'four.example');
    expect(ended).toBe(0);
    expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(silent.size).toBeGreaterThan(before);
  });
});
