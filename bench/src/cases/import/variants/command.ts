import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { measuredWork } from '../../../platform/measured-work.js';
import { runCli } from '../../../platform/run-cli.js';
import type { ImportValues } from '../case.js';
import { untilPublished } from '../until-published.js';

/**
 * Runs `stechuhr import` like an operator. Events are published during and after it; `publishedMs` is the time until the last one is
 * published.
 */
export const run: Run = async ({ values }) => {
  const own = platformValues<ImportValues>(values);
  const startedAt = performance.now();
  const outcome = await measuredWork(own, async () => {
    const printed = await runCli(own.home, ['import', '--json', own.file]);
    const { accepted } = JSON.parse(printed) as { readonly accepted: Readonly<Record<string, number>> };
    return Object.values(accepted).reduce((sum, count) => sum + count, 0);
  });
  await untilPublished(own);
  return { values: { ...outcome.values, publishedMs: performance.now() - startedAt } };
};
