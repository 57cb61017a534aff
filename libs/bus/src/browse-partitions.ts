import { partitionedName, partitionedStreams } from '@stechuhr/contracts';
import { browseStream, type StoredMessage, type StreamQuery } from './browse-stream.js';
import { readLayout } from './layout.js';
import type { Link } from './link.js';

type Messages = AsyncGenerator<StoredMessage, void, undefined>;

/**
 * Reads messages in order without consuming them. Those of a partitioned stream are read from all partitions: stored ones by storage time; followed ones as
 * they arrive, in order for each institution.
 */
export async function* browse(link: Link, query: StreamQuery): Messages {
  const names = await partitionsOf(link, query.stream);
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, ...(query.signal === undefined ? [] : [query.signal])]);
  const sources = names.map((stream) => browseStream(link, { ...query, stream, signal }));
  try {
    yield* query.follow === true ? asTheyArrive(sources) : byTime(sources);
  } finally {
    ended.abort();
    await Promise.all(sources.map((source) => source.return()));
  }
}

async function partitionsOf({ manager }: Link, stream: string): Promise<readonly string[]> {
  const name = partitionedName(stream);
  if (name === undefined) return [stream];
  const partitioned = partitionedStreams[name];
  return partitioned.streams(await readLayout(manager, partitioned));
}

async function* byTime(sources: readonly Messages[]): Messages {
  const next = async (source: Messages) => ({ source, result: await source.next() });
  let heads = await Promise.all(sources.map(next));
  for (;;) {
    const [earliest, ...others] = heads
      .flatMap(({ source, result }) => (result.done === true ? [] : [{ source, result, storedAt: result.value.storedAt.getTime() }]))
      .sort((a, b) => a.storedAt - b.storedAt);
    if (earliest === undefined) return;
    yield earliest.result.value;
    heads = [await next(earliest.source), ...others];
  }
}

async function* asTheyArrive(sources: readonly Messages[]): Messages {
  const arrived: { readonly source: Messages; readonly result: IteratorResult<StoredMessage, void> }[] = [];
  let failure: { readonly cause: unknown } | undefined;
  let notify = (): void => undefined;
  // Promise.race over all pending reads would keep each message in memory until the slowest source has one.
  const ask = (source: Messages): void => {
    const answered = source.next().then((result) => void arrived.push({ source, result }));
    void answered.catch((cause: unknown) => void (failure = { cause })).then(() => notify());
  };
  sources.forEach(ask);
  for (let open = sources.length; open > 0;) {
    const first = arrived.shift();
    if (failure !== undefined) throw failure.cause;
    if (first === undefined) await new Promise<void>((resolve) => (notify = resolve));
    else if (first.result.done === true) open -= 1;
    else {
      ask(first.source);
      yield first.result.value;
    }
  }
}
