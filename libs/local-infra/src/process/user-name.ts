import { userInfo } from 'node:os';

/**
 * The name of this user, for names of folders that all users share. In a container, a user may have only a number.
 *
 * @param named throws if the system knows no name
 */
export function userName(named: () => string = () => userInfo().username): string {
  try {
    return named();
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
