import type { Output, Paint } from '../output.js';
import { findPlatform, type Platform } from '../platform.js';
import { failed, ok, type Finding } from './check.js';
import { inspections, type InspectionTerms } from './inspect.js';
import { runChecks, type Check } from './run-checks.js';
import { checkListening, checkNats } from './servers.js';
import { checkAnswers, checkService } from './services.js';

const NODE_MAJOR = 24;
const PORTS = { mongodb: 27_017, redis: 6_379, sentinel: 26_379 };
const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], failed: ['red', '✗'] } as const;

/**
 * Checks everything that the platform needs.
 * @param terms how the stores are inspected; undefined skips this
 * @returns 1 if a check failed
 */
export async function runDoctor(output: Output, terms: InspectionTerms | undefined): Promise<number> {
  const platform = findPlatform();
  const findings = await runChecks([...checks(platform), ...(terms === undefined ? [] : inspections(platform, terms))], output.note);
  const lines = () => findings.map((finding) => describe(finding, output.paint)).join('\n');
  return output.result(findings, lines, findings.some(({ state }) => state === 'failed') ? 1 : 0);
}

function checks(platform: Platform): readonly Check[] {
  return [
    { name: 'Node.js', run: () => [checkNode(process.versions.node)] },
    { name: 'MongoDB', run: async () => [await checkListening('MongoDB', platform.tokenStores().mongodbUrl, PORTS.mongodb)] },
    { name: 'Redis', run: async () => [await checkRedis(platform.tokenStores().redisUrl)] },
    { name: 'NATS', run: () => checkNats(platform.natsUrl()) },
    {
      name: 'file store',
      run: async () => [await checkAnswers('file store', platform.s3Endpoint(), 'Start the S3 store, or correct S3_ENDPOINT.')],
    },
    {
      name: 'services',
      run: () => Promise.all([...platform.adminAddresses()].map(([name, address]) => checkService(name, address))),
    },
    {
      name: 'API',
      run: async () => [await checkAnswers('API', platform.baseUrl(), 'Check the gateway. If it has another address, set STECHUHR_URL.')],
    },
  ];
}

function checkRedis(url: string): Promise<Finding> {
  return checkListening('Redis', url, url.includes('+sentinel:') ? PORTS.sentinel : PORTS.redis);
}

function checkNode(version: string): Finding {
  const major = Number(version.split('.')[0]);
  if (major >= NODE_MAJOR) return ok('Node.js', version);
  return failed('Node.js', version, `Use Node.js ${String(NODE_MAJOR)}; "npm start" downloads it.`);
}

function describe({ name, state, detail, advice }: Finding, paint: Paint): string {
  const [colour, mark] = MARKS[state];
  const line = `${paint(colour, mark)} ${name.padEnd(20)} ${detail}`;
  return advice === null ? line : `${line}\n  → ${advice}`;
}
