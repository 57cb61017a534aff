import type { commonV1 } from '@stechuhr/contracts';
import type { Platform } from './platform.js';
import { withTokenAdmin } from './tokens/with-token-admin.js';

/**
 * The account that a command acts as: that of the given token, otherwise of the token in the environment or of the demo.
 * @throws Failure without a valid token
 */
export function callerOfToken(platform: Platform, given: string | undefined): Promise<commonV1.Caller> {
  const token = platform.token(given);
  return withTokenAdmin(platform, (admin) => admin.callerOf(token));
}
