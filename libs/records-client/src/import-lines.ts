import type { recordsV1 } from '@stechuhr/contracts';
import { openBidi } from '@stechuhr/service';

/**
 * Imports a few records that are known to be valid (docs/rules/records.md#the-import-contract). When it resolves, all readers see them.
 *
 * @throws Error naming the first line that was rejected
 */
export async function importLines(client: recordsV1.RecordsServiceClient, lines: readonly object[]): Promise<void> {
  const { write, end, responses } = openBidi(client, client.import);
  await write({ lines: lines.map((line, at) => ({ file: '-', line: at + 1, json: JSON.stringify(line) })) });
  end();
  for await (const { event } of responses) {
    if (event?.$case === 'rejected') throw new Error(`Line ${String(event.value.line)} was rejected: ${event.value.reason}`);
  }
}
