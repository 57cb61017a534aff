import { AppError } from '@stechuhr/kernel';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1_048_576;

/**
 * Gets a small JSON document, in time or not at all.
 *
 * @throws AppError `unavailable`; neither it nor its cause tells the address, which may carry a key
 */
export async function fetchJson(url: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(address, { signal: limited, headers: { accept: 'application/json' }, redirect: 'error' });
    const body = await readText(response);
    if (!response.ok) throw new Error(`It answered ${String(response.status)}.`);
    return JSON.parse(body);
  } catch (caught) {
    throw new AppError('unavailable', `The weather service at ${address.host} gave no answer.`, { cause: caught });
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > MAX_BYTES) throw new Error(`It answered more than ${String(MAX_BYTES)} bytes.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
