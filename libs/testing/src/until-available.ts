import { waitFor } from './wait-for.js';

/**
 * Repeats a request while it is unavailable, as clients should. For many concurrent requests, for which a busy machine may need longer than
 * services wait for their servers.
 *
 * @param ask rejects with an AppError `unavailable`, or resolves to a response with status 503
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
