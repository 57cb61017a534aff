import { openTokenAdmin } from '@stechuhr/gateway/admin';
import { withFindings } from '../cli/dist/import/result.js';
import { sendSource } from '../cli/dist/import/send-source.js';
import { openImport } from '../cli/dist/import/session.js';
import { quietLogger } from '../cli/dist/quiet-logger.js';

// The commands of `stechuhr` that suites use most, called directly instead of in a process each, which would take as long as some tests.

/**
 * @param {{ stores: { mongodbUrl: string, database: string, redisUrl: string, recordsAddress: string },
 *   request: import('@stechuhr/gateway/admin').TokenRequest }} argument
 */
export async function issueToken({ stores, request }) {
  const admin = await openTokenAdmin({ ...stores, logger: quietLogger });
  try {
    return await admin.issue(request);
  } finally {
    await admin.close();
  }
}

/** @param {{ addresses: Readonly<Record<string, string>>, lines: string }} argument lines as NDJSON, addresses by service */
export async function importLines({ addresses, lines }) {
  return withFindings(['-'], async (found) => {
    const session = openImport((owner) => addresses[owner] ?? '', found);
    try {
      const source = {
        name: '-',
        bytes: null,
        async *open() {
          yield Buffer.from(lines);
        },
      };
      await sendSource(session, source, () => undefined);
      const accepted = await session.finish();
      return { accepted, rejected: [...found.rejected], warnings: [...found.warnings] };
    } finally {
      session.close();
    }
  });
}
