/** How one JSON document is made of messages that carry parts of a list. */
interface ListShape<M> {
  /** The document up to the list's opening bracket, from the first message. */
  readonly start: (first: M) => string;
  readonly items: (message: M) => readonly object[];
}

/**
 * A JSON document whose last member is a list, made while it is sent. Nothing is given out before there is an item or the end: what fails
 * until then is still a proper error.
 */
export async function* jsonList<M>(
  messages: AsyncIterable<M>,
  { start, items }: ListShape<M>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let before: string | undefined;
  for await (const message of messages) {
    const listed = items(message)
      .map((item) => JSON.stringify(item))
      .join(',');
    before ??= start(message);
    if (listed === '') continue;
    yield Buffer.from(before + listed);
    before = ',';
  }
  if (before === undefined) throw new Error('The list has no message.');
  yield Buffer.from(before === ',' ? ']}' : `${before}]}`);
}
