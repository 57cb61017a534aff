import { openTokenAdmin } from '@stechuhr/gateway/admin';
import { createLogger } from '@stechuhr/service';
import type { BenchPlatform } from '../../platform/platform.js';

/** Issues a token for each account. The command line would need one process per token. */
export async function issueTokens({ surroundings }: BenchPlatform, accountIds: readonly string[]): Promise<readonly string[]> {
  const { servers, addresses } = surroundings;
  const admin = await openTokenAdmin({
    mongodbUrl: servers.MONGODB_URL,
    database: 'stechuhr_gateway',
    redisUrl: servers.REDIS_URL,
    recordsAddress: addresses['RECORDS_ADDRESS'] ?? '',
    logger: createLogger('bench', 'warn'),
  });
  try {
    const tokens: string[] = [];
    for (const accountId of accountIds) {
      const { token } = await admin.issue({ accountId, name: 'bench', scopes: null, strict: false, expiresAt: null });
      tokens.push(token);
    }
    return tokens;
  } finally {
    await admin.close();
  }
}
