import type { commonV1 } from '@stechuhr/contracts';
import type { Platform } from './platform.js';
import { withTokenAdmin } from './tokens/with-token-admin.js';

/** Whom a command acts for: the token given, else of the environment, else of the demo. @throws Failure where there is none, or it is invalid */
export function callerOfToken(platform: Platform, given: string | undefined): Promise<commonV1.Caller> {
  const token = platform.token(given);
  return withTokenAdmin(platform, (admin) => admin.callerOf(token));
}
