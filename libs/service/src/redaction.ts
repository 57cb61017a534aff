/** Replaces text that is removed from a log line or a span. */
export const REDACTED = '[redacted]';

// API tokens, e-mail addresses, input quoted by a validator or a JSON parser, and the duplicate key in an error of MongoDB.
const TOKEN = /stu_[0-9A-Za-z]+/g;
// Bounded lengths, so that matching takes linear time.
const EMAIL = /[^\s"'<>()[\]{}=&?/,;:]{1,128}(?:@|%40)[^\s"'<>()[\]{}=&?/,;:]{1,255}/gi;
const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;
// V8 does not escape the quotation marks in an excerpt, so that only the outermost ones are its own.
const JSON_EXCERPT = /".*"(?=(?:\.\.\.)? is not valid JSON)/gs;
const DUPLICATE_KEY = /dup key: \{.*\}/gs;
const FRAME = /^\s+at .*(?::\d+:\d+|<anonymous>|native)\)?$/;

/** Removes tokens and e-mail addresses from a text. */
export function withoutIdentities(text: string): string {
  return text.replace(TOKEN, REDACTED).replace(EMAIL, REDACTED);
}

/** Removes quoted input from the message of an error: it may be a name, a text or a secret. */
export function withoutInput(message: string): string {
  const withoutKey = message.replace(DUPLICATE_KEY, `dup key: ${REDACTED}`);
  return withoutIdentities(withoutKey.replace(JSON_EXCERPT, `"${REDACTED}"`).replace(QUOTED, `"${REDACTED}"`));
}

/** Returns the stack frames of an error without the message with which V8 begins the stack. */
export function framesOf(stack: string | undefined): string {
  const frames = (stack ?? '').split('\n').filter((line) => FRAME.test(line));
  return frames.map((line) => `\n${line}`).join('');
}
