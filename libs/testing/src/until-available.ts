import { waitFor } from './wait-for.js';

/**
 * Retries as clients are told to, while the response is that something is unavailable. For requests of many concurrent clients, which take longer on
 * a busy machine than a service waits for its servers.
 * @param ask rejects with an AppError `unavailable`, or resolves with the status 503
 */
export async function untilAvailable<T>(ask: () => Promise<T>): Promise<T> {
  const { answer } = await waitFor(() =>
    ask().then(
      (answer) => ((answer as { readonly status?: unknown }).status === 503 ? undefined : { answer: Promise.resolve(answer) }),
      (caught: unknown) =>
        (caught as { readonly code?: unknown }).code === 'unavailable' ? undefined : { answer: Promise.reject(caught) },
    ),
  );
  return answer;
}
