import { call, query } from '../support/http.js';
import { download, finishedTask } from '../support/tasks.js';

/** The result of the exports. */
export interface Exported {
  readonly requests: number;
  readonly lines: number;
}

/**
 * Exports the demo organization's working times of the last month, synchronously and as a file in the object store.
 *
 * @param gateway base URL without a path
 * @throws Error if one of the exports is not as expected
 */
export async function exportLastMonth(gateway: string, token: string, now = new Date()): Promise<Exported> {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0));
  const daterange = [first, last].map((day) => day.toISOString().slice(0, 10)).join('|');
  const address = `${gateway}/api/v2/exports/generic/?`;
  const direct = await call(address + query({ daterange, response_only: 'true' }), { token });
  const lines = direct.text.trimEnd().split('\n').length;
  if (direct.status !== 200 || lines < 20) throw new Error(`The export was answered with ${direct.status}: ${direct.text.slice(0, 500)}`);
  const { target } = await finishedTask(address + query({ daterange, is_async: 'true' }), token, 60_000);
  const file = await download(target);
  if (file.status !== 200 || file.body.length === 0) throw new Error(`The file at ${target} was answered with ${file.status}.`);
  return { requests: 3, lines };
}
