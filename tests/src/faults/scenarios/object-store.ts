import { setTimeout as pause } from 'node:timers/promises';
import { waitFor, type GatedRequest, type GateVerdict } from '@stechuhr/testing';
import { query } from '../../support/http.js';
import type { ClientTools } from '../clients/client-tools.js';
import { LONG_COMMENT } from '../firm.js';
import type { Load } from '../load.js';
import { WHILE_MS, type Scenario } from './scenario.js';

const SLOW_DOWN: GateVerdict = { status: 503, body: '<Error><Code>SlowDown</Code><Message>Later.</Message></Error>' };
/** The response of an object store if its clock and that of the signer differ by more than 15 minutes. */
const SKEWED: GateVerdict = {
  status: 403,
  body: '<Error><Code>RequestTimeTooSkewed</Code><Message>The difference between the request time and the current time is too large.</Message></Error>',
};
/** Number of columns with a comment, so that the file of a month consists of several parts of 8 MiB. */
const COLUMNS = 80;
const HITS = 2;
/** How long the fault lasts after it was first hit, so that following requests hit it too. */
const A_MOMENT_MS = 1_000;

type RequestFilter = (request: GatedRequest) => boolean;

/** Matches the second part of an upload; the client numbers parts from 2. */
const isSecondPart: RequestFilter = ({ method, path }) => method === 'PUT' && /[?&]partNumber=3&/.test(path);

/** Returns a filter that matches the first matching request and all later ones. */
function fromTheFirst(isFirst: RequestFilter): RequestFilter {
  let isMet = false;
  return (request) => (isMet ||= isFirst(request));
}

/** Creates a scenario with a fault during the upload of a long export, until the worker has hit it several times. */
const duringUpload = (name: string, meets: RequestFilter, verdict = SLOW_DOWN): Scenario => ({
  group: 'object store',
  name,
  async strike(stage, load) {
    const path = await longExport(load.tools);
    let hits = 0;
    stage.s3.judge((request) => {
      if (!meets(request)) return undefined;
      hits += 1;
      return verdict;
    });
    await begun(load.tools, path);
    await waitFor(() => hits >= HITS);
    await pause(A_MOMENT_MS);
    stage.s3.release();
    await whole(load, await finished(load.tools, path));
  },
});

export const objectStore: readonly Scenario[] = [
  duringUpload('503 in the middle of an upload in parts', isSecondPart),
  duringUpload('503 to a part, and to everything that follows', fromTheFirst(isSecondPart)),
  duringUpload('clock of the object store set back by 20 minutes', fromTheFirst(isSecondPart), SKEWED),
  {
    group: 'object store',
    name: '503 to everything',
    async strike(stage) {
      stage.s3.judge(() => SLOW_DOWN);
      await pause(2 * WHILE_MS);
    },
  },
];

/** Imports an employee with long comments. @returns the path of an export of the comments */
async function longExport({ stage, firm, slot }: ClientTools): Promise<string> {
  const { id, lines } = firm.wordyLines(slot);
  await stage.importLines(lines);
  const columns = Array.from({ length: COLUMNS }, (_, n) => `comment:as>c${String(n)}`).join('|');
  const month = { daterange: '2026-02-01|2026-03-31', types: 'timespan:hours', employee_ids: id };
  return `exports/generic/?${query({ ...month, columns: `last-name|date|${columns}`, is_async: 'true' })}`;
}

const begun = (tools: ClientTools, path: string): Promise<unknown> =>
  waitFor(async () => (await tools.ask('long exports', path))?.status === 200);

/** Waits for the end of the task. @returns the URL of the file */
const finished = (tools: ClientTools, path: string): Promise<string> =>
  waitFor(
    async () => {
      const answer = await tools.ask('long exports', path);
      return (answer?.json as { readonly target?: string | null } | undefined)?.target;
    },
    { timeoutMs: 120_000 },
  );

async function whole({ tools, history }: Load, target: string): Promise<void> {
  const answer = await fetch(target);
  const text = await answer.text();
  const [rows, comments] = [text.split('\r\n').length - 2, text.split(LONG_COMMENT).length - 1];
  const { length } = tools.slot.days;
  if (rows !== length || comments !== length * COLUMNS) {
    history.wrong.push(`a long export with ${String(rows)} rows and ${String(comments)} comments (${String(answer.status)})`);
  }
}
