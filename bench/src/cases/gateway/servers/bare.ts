import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve, type Bodies } from './start.js';

await serve(async ({ unary, list }: Bodies) => {
  const answers = { unary: JSON.parse(unary) as unknown, list: JSON.parse(list) as unknown };
  const server = createServer((request, response) => {
    const body = Buffer.from(JSON.stringify(request.url?.startsWith('/unary') ? answers.unary : answers.list));
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
});
