import { partitionedName, partitionedStreams } from '@stechuhr/contracts';
import { startPeriodic, type Logger } from '@stechuhr/kernel';
import { browseStream, type StoredMessage, type StreamQuery } from './browse-stream.js';
import { CHECK_INTERVAL_MS, readLayout } from './layout.js';
import type { Link } from './link.js';

type Messages = AsyncGenerator<StoredMessage, void, undefined>;

/**
 * Reads messages in order without consuming them. Those of a partitioned stream are read from all partitions: stored ones by storage time; followed ones as
 * they arrive, in order for each institution, also from partitions that are added meanwhile.
 */
export async function* browse(link: Link, query: StreamQuery, logger: Logger): Messages {
  const begunAt = new Date();
  const names = await partitionsOf(link, query.stream);
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, ...(query.signal === undefined ? [] : [query.signal])]);
  const sources: Messages[] = [];
  const open = (stream: string, { since } = query): Messages => {
    const source = browseStream(link, { ...query, stream, signal, ...(since && { since }) });
    sources.push(source);
    return source;
  };
  const first = names.map((stream) => open(stream));
  // What is in a stream from before was moved to others before this began.
  const added = (stream: string): Messages => open(stream, { ...query, since: query.since ?? begunAt });
  try {
    yield* query.follow === true ? follow(first, notYetRead(link, query.stream, { names, open: added }), logger) : byTime(first);
  } finally {
    ended.abort();
    await Promise.all(sources.map((source) => source.return()));
  }
}

/** Returns a function that opens the partitions that have been added. */
function notYetRead(
  link: Link,
  stream: string,
  { names, open }: { readonly names: readonly string[]; readonly open: (name: string) => Messages },
): () => Promise<readonly Messages[]> {
  const known = new Set(names);
  return async () => {
    const added = (await partitionsOf(link, stream)).filter((name) => !known.has(name));
    for (const name of added) known.add(name);
    return added.map(open);
  };
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

async function* follow(first: readonly Messages[], added: () => Promise<readonly Messages[]>, logger: Logger): Messages {
  const arrivals = arrivalsOf(first);
  const looking = startPeriodic(async () => (await added()).forEach((source) => arrivals.add(source)), {
    intervalMs: CHECK_INTERVAL_MS,
    logger,
    failure: 'new partitions are not followed yet',
  });
  try {
    yield* arrivals.messages();
  } finally {
    await looking.stop();
  }
}

function arrivalsOf(first: readonly Messages[]): { add(source: Messages): void; messages(): Messages } {
  const arrived: { readonly source: Messages; readonly result: IteratorResult<StoredMessage, void> }[] = [];
  let failure: { readonly cause: unknown } | undefined;
  let notify = (): void => undefined;
  let open = 0;
  // Promise.race over all pending reads would keep each message in memory until the slowest source has one.
  const ask = (source: Messages): void => {
    const answered = source.next().then((result) => void arrived.push({ source, result }));
    void answered.catch((cause: unknown) => void (failure = { cause })).then(() => notify());
  };
  const add = (source: Messages): void => {
    open += 1;
    ask(source);
  };
  first.forEach(add);
  return {
    add,
    async *messages() {
      while (open > 0) {
        const next = arrived.shift();
        if (failure !== undefined) throw failure.cause;
        if (next === undefined) await new Promise<void>((resolve) => (notify = resolve));
        else if (next.result.done === true) open -= 1;
        else {
          ask(next.source);
          yield next.result.value;
        }
      }
    },
  };
}
