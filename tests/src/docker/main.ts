import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { provideTool, runCommandLine, UsageError } from '@stechuhr/local-infra';
import { ROOT } from '../cluster/root.js';
import { countsOf, tableOf, type Line } from '../cluster/report.js';
import { composeUp, noCompose } from './compose.js';
import { dockerEngine, type DockerEngine } from './engine.js';
import type { Exported } from './exported.js';
import { npmStart } from './npm-start.js';
import { toolsEngine, type ToolsEngine } from './tools-engine.js';

interface Scenario {
  readonly name: string;
  /** Returns the reason why the scenario cannot run on this machine. */
  unless?(): Promise<string | undefined>;
  run(): Promise<Exported>;
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);

const USAGE = `npm run check:docker -- [words]

Starts the platform with Docker and Compose (tests/src/docker/README.md), on a running engine or on one that the tools start. With words,
runs only scenarios whose names contain one of them.`;

async function main(words: readonly string[]): Promise<number> {
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
      throw new UsageError(
        `No scenario name contains one of these words: ${words.join(', ')}. Scenarios:\n${scenarios.map(({ name }) => `  ${name}`).join('\n')}`,
      );
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

/** Returns the images of the servers, which are the same in `npm start`, Compose and the chart (`npm run docs-check`). */
function serverImages(): Readonly<Record<string, string>> {
  const chart = parse(readFileSync(join(ROOT, 'helm/stechuhr/values.yaml'), 'utf8')) as {
    infrastructure: { images: Record<string, string> };
  };
  return chart.infrastructure.images;
}

await runCommandLine({ usage: USAGE, options: {}, words: true }, (_, words) => main(words));
