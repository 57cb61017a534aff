import { AppError } from '@stechuhr/kernel';
import { Failure } from './failure.js';

/** What a call fails with where nothing says more. */
const NOTHING_MORE = 'A service is not available.';

/** What is thrown by calls of these services, by their addresses: where one is unavailable, a sentence that names them. */
export function unanswered(caught: unknown, addresses: Readonly<Record<string, string>>): unknown {
  if (!(caught instanceof AppError) || caught.code !== 'unavailable' || caught.message !== NOTHING_MORE) return caught;
  const asked = Object.entries(addresses).map(([name, address], at) => `${at === 0 ? 'The' : 'the'} ${name} service (${address})`);
  return new Failure(
    `${asked.join(' or ')} does not answer, or a service that it needs does not. Is the platform running ("npm start")?`,
    1,
    caught,
  );
}
