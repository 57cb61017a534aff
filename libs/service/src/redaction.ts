/** Replaces what was removed from a log line or a span. */
export const REDACTED = '[redacted]';

// Tokens of the API, e-mail addresses, input that JSON parsers and validators quote, and the duplicate key in errors of MongoDB.
const TOKEN = /stu_[0-9A-Za-z]+/g;
// Bounded, so that the time for long texts is linear in their length.
const EMAIL = /[^\s"'<>()[\]{}=&?/,;:]{1,128}(?:@|%40)[^\s"'<>()[\]{}=&?/,;:]{1,255}/gi;
const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;
const DUPLICATE_KEY = /dup key: \{.*\}/gs;
const FRAME = /^\s+at .*(?::\d+:\d+|<anonymous>|native)\)?$/;

/** Removes tokens and e-mail addresses from a text. */
export function withoutIdentities(text: string): string {
  return text.replace(TOKEN, REDACTED).replace(EMAIL, REDACTED);
}

/** Removes quoted input from the message of an error, which may contain names, texts or secrets. */
export function withoutInput(message: string): string {
  return withoutIdentities(message.replace(DUPLICATE_KEY, `dup key: ${REDACTED}`).replace(QUOTED, `"${REDACTED}"`));
}

/** Where an error was thrown: its stack without the message that V8 puts in front of it. */
export function framesOf(stack: string | undefined): string {
  const frames = (stack ?? '').split('\n').filter((line) => FRAME.test(line));
  return frames.map((line) => `\n${line}`).join('');
}
