/** What stands where something was left out of a log line or a span. */
export const REDACTED = '[redacted]';

// Tokens of the API, e-mail addresses, what a JSON parser or a validator quotes of its input, and the key that MongoDB found twice.
const TOKEN = /stu_[0-9A-Za-z]+/g;
// Bounded, so that long text costs no more than its length.
const EMAIL = /[^\s"'<>()[\]{}=&?/,;:]{1,128}(?:@|%40)[^\s"'<>()[\]{}=&?/,;:]{1,255}/gi;
const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;
const DUPLICATE_KEY = /dup key: \{.*\}/gs;
const FRAME = /^\s+at .*(?::\d+:\d+|<anonymous>|native)\)?$/;

/** The text without tokens and e-mail addresses. */
export function withoutIdentities(text: string): string {
  return text.replace(TOKEN, REDACTED).replace(EMAIL, REDACTED);
}

/** The message of an error without what it repeats of its input: that may be a name, a text or a secret. */
export function withoutInput(message: string): string {
  return withoutIdentities(message.replace(DUPLICATE_KEY, `dup key: ${REDACTED}`).replace(QUOTED, `"${REDACTED}"`));
}

/** Where an error was thrown: its stack without the message that V8 puts in front. */
export function framesOf(stack: string | undefined): string {
  const frames = (stack ?? '').split('\n').filter((line) => FRAME.test(line));
  return frames.map((line) => `\n${line}`).join('');
}
