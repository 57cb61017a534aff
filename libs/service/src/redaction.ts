/** Replaces text that is removed from a log line or a span. */
export const REDACTED = '[redacted]';

// API tokens, e-mail addresses, input quoted by a validator or a JSON parser, and the duplicate key in an error of MongoDB.
const TOKEN = /stu_[0-9A-Za-z]+/g;
// Bounded lengths, so that matching takes linear time.
const EMAIL = /[^\s"'<>()[\]{}=&?/,;:]{1,128}(?:@|%40)[^\s"'<>()[\]{}=&?/,;:]{1,255}/gi;
// Nobody escapes the quotation marks in what is quoted, so that only the first and the last one are certain. Of an odd number, the end of the
// last quotation was cut off.
const QUOTED = /".*"/s;
const UNFINISHED = /".*/s;
// An excerpt of V8 may have any number.
const JSON_EXCERPT = /".*"(?=(?:\.\.\.)? is not valid JSON)/s;
const DUPLICATE_KEY = /dup key: \{.*\}/gs;
const FRAME = /^\s+at .*(?::\d+:\d+|<anonymous>|native)\)?$/;

/** Removes tokens and e-mail addresses from a text. */
export function withoutIdentities(text: string): string {
  return text.replace(TOKEN, REDACTED).replace(EMAIL, REDACTED);
}

/** Removes quoted input from the message of an error: it may be a name, a text or a secret. */
export function withoutInput(message: string): string {
  const remaining = message.replace(DUPLICATE_KEY, `dup key: ${REDACTED}`).replace(JSON_EXCERPT, `"${REDACTED}"`);
  const isFinished = remaining.split('"').length % 2 === 1;
  return withoutIdentities(remaining.replace(isFinished ? QUOTED : UNFINISHED, `"${REDACTED}"`));
}

/** Returns the stack frames of an error without the message with which V8 begins the stack. */
export function framesOf(stack: string | undefined): string {
  const frames = (stack ?? '').split('\n').filter((line) => FRAME.test(line));
  return frames.map((line) => `\n${line}`).join('');
}
