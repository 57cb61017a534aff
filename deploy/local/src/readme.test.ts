import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { topology } from './topology.js';

const SERVERS: ReadonlySet<string> = new Set(topology.flatMap(({ needs }) => needs));
const SERVICES: ReadonlySet<string> = new Set(topology.map(({ name }) => name));

/** Parses `a & b([text]) -- label --> c` into the edges a → c and b → c; chains are supported too. */
function edgesOf(statement: string): string[] {
  const groups = statement
    .replace(/\s--\s+("[^"]*"|[^-"]+?)\s+-->/g, ' -->')
    .split('-->')
    .map((group) => group.split('&').map((node) => /^[\w-]+/.exec(node.trim())?.[0] ?? ''));
  return groups.slice(1).flatMap((to, index) => (groups[index] ?? []).flatMap((from) => to.map((node) => `${from} → ${node}`)));
}

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

function diagram(): string[] {
  const block = /```mermaid\n(.*?)```/s.exec(readme)?.[1] ?? '';
  return block.split('\n').flatMap(edgesOf);
}

describe('the diagram in the README', () => {
  it('has exactly the edges of the topology between services and from services to servers', () => {
    const drawn = diagram().filter((edge) => {
      const [from = '', to = ''] = edge.split(' → ');
      return SERVICES.has(from) && (SERVICES.has(to) || SERVERS.has(to));
    });
    const built = topology.flatMap(({ name, calls, needs }) => [...calls, ...needs].map((to) => `${name} → ${to}`));
    expect(drawn.toSorted()).toEqual(built.toSorted());
  });
});

describe('the table of services in the README', () => {
  it.each(topology)('has a row for $name, with its gRPC package', ({ name, serves }) => {
    const row = readme.split('\n').find((line) => line.startsWith(`| [${name}](services/${name}/README.md) `));
    const [, , , grpc] = (row ?? '').split('|').map((cell) => cell.trim());
    expect(grpc).toBe(serves === 'grpc' ? `\`${name.replaceAll('-', '_')}.v1\`` : '–');
  });
});
