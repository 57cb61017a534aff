import { waitFor } from './wait-for.js';

/**
 * Asks as clients are told to: again, while the answer is that something is unavailable. For what many ask at once, which takes a busy machine
 * longer than a service waits for its servers.
 *
 * @param ask rejects with an AppError `unavailable`, or answers with the status 503
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
