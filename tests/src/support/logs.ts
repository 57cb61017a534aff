import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads all log files of a platform's services and servers, by name. */
export async function readLogs(home: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(home, 'logs');
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)));
}

/** Returns the lines of a service's log that belong to a trace. */
export async function linesOfTrace(home: string, service: string, traceId: string): Promise<readonly string[]> {
  const log = (await readLogs(home)).get(`${service}.log`) ?? '';
  return log.split('\n').filter((line) => line.includes(`"trace_id":"${traceId}"`));
}
