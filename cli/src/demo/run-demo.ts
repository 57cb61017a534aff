import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '@stechuhr/kernel';
import { formatLocalTime, localDayOf } from '@stechuhr/worktime';
import { Failure } from '../failure.js';
import { createProgress } from '../import/progress.js';
import { describeResult, type ImportResult } from '../import/result.js';
import { openImport } from '../import/session.js';
import { writeSlowly, type Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { generateDemo, type Demo } from './generate.js';
import type { AsOf } from './workdays.js';

export interface DemoCommandOptions {
  readonly employees: number;
  readonly months: number;
  readonly seed: string;
  readonly output?: string;
}

/** As the name of the "file" of a rejected line. */
const SOURCE = 'demo';
/** From here on the early shifts of a day show. */
const MORNING = '08:00';
const CHUNK_LENGTH = 256 * 1024;

/** Runs `stechuhr demo`. @returns the exit code */
export async function runDemo({ output: file, ...options }: DemoCommandOptions, output: Output): Promise<number> {
  const demo = generateDemo({ ...options, ...present() });
  const ids = { institution_id: demo.institutionId, account_id: demo.accountId };
  if (file !== undefined) {
    await writeDemo(demo, file);
    if (file !== '-') output.result({ ...ids, file }, () => `Written to ${file}. Load it with: stechuhr import ${file}`);
    return 0;
  }
  const { accepted, rejected } = await importDemo(demo);
  if (rejected.length > 0) output.note(describeResult({ accepted, rejected }));
  output.result({ ...ids, accepted }, () => summary(demo, { accepted, rejected: [] }));
  return rejected.length > 0 ? 1 : 0;
}

function present(): AsOf {
  const now = Math.floor(systemClock.now() / 1000);
  return { today: localDayOf(now), hasStarted: formatLocalTime(now) >= MORNING };
}

async function importDemo(demo: Demo): Promise<ImportResult> {
  const platform = findPlatform();
  const session = openImport((owner) => platform.grpcAddress(owner));
  const progress = createProgress('generating and importing', null);
  try {
    let line = 0;
    for (const record of demo.records) {
      line += 1;
      const full = session.send('records', { file: SOURCE, line, json: JSON.stringify(record) });
      if (full === undefined) continue;
      await full;
      progress.update(line, line);
    }
    return await session.finish();
  } finally {
    progress.stop();
    session.close();
  }
}

async function writeDemo(demo: Demo, file: string): Promise<void> {
  if (file === '-') {
    for (const chunk of chunksOf(demo)) await writeSlowly(process.stdout, chunk);
    return;
  }
  await pipeline(Readable.from(chunksOf(demo)), createWriteStream(file)).catch((caught: unknown) => {
    throw new Failure(`${file} could not be written: ${caught instanceof Error ? caught.message : String(caught)}`, 1, caught);
  });
}

function* chunksOf(demo: Demo): Generator<string> {
  let chunk = '';
  for (const record of demo.records) {
    chunk += `${JSON.stringify(record)}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

function summary(demo: Demo, result: ImportResult): string {
  const ids = `institution  ${demo.institutionId}\naccount      ${demo.accountId} (administrator)`;
  return `${describeResult(result)}\n\n${ids}\n\nA token for it: stechuhr tokens issue --account ${demo.accountId}`;
}
