import { AppError } from '@stechuhr/kernel';
import { Failure } from './failure.js';

/** The message of a failed call that carries no other explanation. */
const GENERIC_MESSAGE = 'A service is not available.';

/** Translates what a call to these services threw: if a service is unavailable, the failure names its address. */
export function explainUnavailable(caught: unknown, addresses: Readonly<Record<string, string>>): unknown {
  if (!(caught instanceof AppError) || caught.code !== 'unavailable' || caught.message !== GENERIC_MESSAGE) return caught;
  const services = Object.entries(addresses).map(([name, address], at) => `${at === 0 ? 'The' : 'the'} ${name} service (${address})`);
  return new Failure(
    `${services.join(' or ')} does not answer, or a service that it needs does not. Is the platform running ("npm start")?`,
    1,
    caught,
  );
}
