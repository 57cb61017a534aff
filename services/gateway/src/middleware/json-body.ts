import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { AppError, type Share } from '@stechuhr/kernel';
import { HttpError, tooLarge, unsupportedMediaType } from '../http/answers.js';
import { askForBody, isBodyAwaited } from '../http/awaited-body.js';
import { tooManyBytes } from '../http/held-bytes.js';

const MAX_BYTES = 1_048_576;
/** A body that is refused or moderately too large is read to its end, because a client that is still sending would not read the response. */
const MAX_DRAINED_BYTES = 16 * MAX_BYTES;
const UTF8 = new Set(['utf-8', 'utf8']);

/** A request whose body is read. */
interface SentBody {
  readonly request: IncomingMessage;
  /** Counts the bytes of the body until the request is answered. */
  readonly held: Share;
  /** Checks the caller again if reading took long. @throws AppError */
  readonly confirmCaller: () => Promise<void>;
}

/**
 * Reads the body of a request as JSON text, which its service validates. An empty body counts as an empty object, as in Django REST
 * framework. Call it after all checks that precede the body (docs/rules/api.md#order-of-checks).
 *
 * @throws HttpError 413, 415
 * @throws AppError `invalid` if the body is not JSON in UTF-8; `rate_limited` if too many bytes are held; as `confirmCaller` does
 */
export async function readJsonBody(sent: SentBody): Promise<string> {
  const received = await receive(sent);
  return jsonOf(received, sent.request);
}

/**
 * Reads the body like `readJsonBody`, for operations whose service makes the checks that precede the body, such as whether the record
 * exists. They are made here only if the body is invalid and so cannot be sent.
 *
 * @param before throws the errors that take precedence over those of the body
 */
export async function readJudgedBody(sent: SentBody, before: () => Promise<unknown>): Promise<string> {
  const received = await receive(sent);
  try {
    return jsonOf(received, sent.request);
  } catch (caught) {
    await before();
    throw caught;
  }
}

/** Reads the body and checks the caller again, whose errors precede those of the body. @returns the bytes, or why they were not kept */
async function receive({ request, held, confirmCaller }: SentBody): Promise<PromiseSettledResult<Buffer>> {
  const [received] = await Promise.allSettled([readBytes(request, held)]);
  await confirmCaller();
  return received;
}

function jsonOf(received: PromiseSettledResult<Buffer>, { headers }: IncomingMessage): string {
  if (received.status === 'rejected') throw received.reason;
  const bytes = received.value;
  if (bytes.byteLength === 0) return '{}';
  assertJson(headers['content-type'] ?? '', headers['content-encoding']);
  const text = decode(bytes);
  try {
    JSON.parse(text);
  } catch (cause) {
    throw parseError(cause instanceof Error ? cause.message : 'invalid', cause);
  }
  return text;
}

async function readBytes(request: IncomingMessage, held: Share): Promise<Buffer> {
  const maxAnnounced = isBodyAwaited(request) ? MAX_BYTES : MAX_DRAINED_BYTES;
  if (Number(request.headers['content-length'] ?? 0) > maxAnnounced) throw new HttpError(tooLarge);
  askForBody(request);
  const chunks: Buffer[] = [];
  let size = 0;
  let isRefused = false;
  // Leaving the loop must not close the connection, which carries the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_DRAINED_BYTES) break;
    if (size > MAX_BYTES || isRefused) continue;
    isRefused = !held.add(chunk.byteLength);
    chunks.push(chunk);
  }
  if (size > MAX_BYTES) throw new HttpError(tooLarge);
  if (isRefused) throw tooManyBytes();
  return Buffer.concat(chunks);
}

function assertJson(contentType: string, encoding: string | undefined): void {
  if (!isJsonType(contentType)) throw new HttpError(unsupportedMediaType(contentType));
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new HttpError(unsupportedMediaType(`${contentType} (${encoding})`));
}

function isJsonType(contentType: string): boolean {
  try {
    const { essence, params } = new MIMEType(contentType);
    return essence === 'application/json' && UTF8.has((params.get('charset') ?? 'utf-8').toLowerCase());
  } catch {
    return false;
  }
}

/** Decodes UTF-8 and skips a byte order mark. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw parseError('the body is not UTF-8', cause);
  }
}

/** V8 quotes the first half alone of a character that has two, which is no Unicode. */
function parseError(reason: string, cause: unknown): AppError {
  return new AppError('invalid', `JSON parse error - ${reason.toWellFormed()}`, { cause });
}
