import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { provideTool } from '@stechuhr/local-infra';
import { ROOT } from '../cluster/root.js';
import { countsOf, tableOf, type Line } from '../cluster/report.js';
import { composeUp, noCompose } from './compose.js';
import { dockerEngine, type DockerEngine } from './engine.js';
import type { Exported } from './exported.js';
import { npmStart } from './npm-start.js';
import { toolsEngine, type ToolsEngine } from './tools-engine.js';

interface Scenario {
  readonly name: string;
  /** Why it cannot be tried here. */
  unless?(): Promise<string | undefined>;
  run(): Promise<Exported>;
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);

/** `npm run check:docker [-- words]`: scenarios whose names have one of the words, on the engine that answers, else on one that the tools start. */
async function main(args: readonly string[]): Promise<number> {
  const { positionals: words } = parseArgs({ args: [...args], allowPositionals: true });
  const own = await dockerEngine();
  const made = own === undefined ? await toolsEngine(log, serverImages()) : undefined;
  const engine = own ?? made?.engine;
  if (engine === undefined) {
    log('No Docker engine answers: skipped (tests/src/docker/README.md).');
    return 0;
  }
  try {
    const scenarios = scenariosOn(engine, made);
    const wanted = scenarios.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
    if (wanted.length === 0) {
      log(`No scenario has one of these words: ${words.join(', ')}. There are:\n${scenarios.map(({ name }) => `  ${name}`).join('\n')}`);
      return 2;
    }
    const lines: Line[] = [];
    for (const scenario of wanted) lines.push(await lineOf(scenario));
    process.stdout.write(`${tableOf(lines)}\n${countsOf(lines)}\n`);
    return lines.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
  } finally {
    await made?.stop();
  }
}

function scenariosOn(engine: DockerEngine, made: ToolsEngine | undefined): readonly Scenario[] {
  return [
    {
      name: 'npm start: where the engine gets no image, all four servers come from elsewhere',
      unless: async () => (made === undefined ? 'this engine gets its images' : undefined),
      run: async () => {
        await made?.haveServers(false);
        return npmStart(engine, { inDocker: false });
      },
    },
    {
      name: 'npm start: all four servers are containers, and none is left',
      run: async () => {
        await made?.haveServers(true);
        return npmStart(engine, { inDocker: true });
      },
    },
    {
      name: 'compose: up, demo, token, exports, and nothing is left',
      unless: () => (made === undefined ? noCompose(engine) : Promise.resolve(undefined)),
      run: async () => {
        if (made === undefined) return composeUp(engine, { log });
        await made.haveServers(true);
        return composeUp(engine, { log, standIns: true, compose: [await provideTool('docker-compose', log)] });
      },
    },
  ];
}

async function lineOf({ name, unless, run }: Scenario): Promise<Line> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  const reason = await unless?.();
  if (reason !== undefined) return { name, verdict: 'skipped', seconds: seconds(), note: reason };
  log(`… ${name}`);
  try {
    const { requests, lines } = await run();
    log(`✓ ${name} ${seconds().toFixed(1)} s`);
    return { name, verdict: 'passed', seconds: seconds(), requests, failed: 0, note: `${lines} lines exported` };
  } catch (error) {
    log(`✗ ${name} ${seconds().toFixed(1)} s\n${(error as Error).message}`);
    return { name, verdict: 'failed', seconds: seconds() };
  }
}

/** The images of the servers: `npm start`, compose and the chart name the same (`npm run docs-check`). */
function serverImages(): Readonly<Record<string, string>> {
  const chart = parse(readFileSync(join(ROOT, 'helm/stechuhr/values.yaml'), 'utf8')) as {
    infrastructure: { images: Record<string, string> };
  };
  return chart.infrastructure.images;
}

process.exitCode = await main(process.argv.slice(2));
