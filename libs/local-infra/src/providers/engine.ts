import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A Docker engine. Accessed with Node's own modules only, because prefetching runs before any package is installed. */
export interface Engine {
  /** Makes sure that the engine has an image, and pulls it if necessary. Rejects with the reason if that is not possible. */
  provide(image: string): Promise<void>;
}

/** How long the engine may be silent. It reports progress while it pulls, and gives up by itself on a registry that does not answer. */
const SILENCE_MS = 60_000;
/** Without an engine, connecting usually fails at once; a slow answer indicates a busy machine. */
const PING_MS = 10_000;

const engines = new Map<string, Promise<Engine>>();

/**
 * The engine named by `DOCKER_HOST`, otherwise the one at the default socket. Determined once per process, so that either all servers use it or none.
 * Rejects if none answers.
 */
export function findEngine(env: NodeJS.ProcessEnv): Promise<Engine> {
  const host = env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';
  const known = engines.get(host) ?? connectEngine(host);
  engines.set(host, known);
  return known;
}

/** Connects to the engine at an address. Rejects if it does not answer in time. */
export async function connectEngine(host: string, answerMs = PING_MS): Promise<Engine> {
  const { protocol, pathname, hostname, port } = new URL(host);
  const target = protocol === 'unix:' ? { socketPath: pathname } : { host: hostname, port: Number(port || 2375) };
  const ask = async (method: string, path: string, silenceMs = SILENCE_MS): Promise<IncomingMessage> => {
    const asked = request({ ...target, method, path, agent: false, timeout: silenceMs });
    asked.once('timeout', () => asked.destroy(new Error(`no answer for ${silenceMs / 1000} s`)));
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage];
    return answer;
  };
  const has = async (image: string): Promise<boolean> => isDone((await ask('GET', `/images/${byDigest(image)}/json`)).resume());

  const pong = await ask('GET', '/_ping', answerMs).catch(() => undefined);
  pong?.resume();
  if (pong === undefined || !isDone(pong)) throw new Error('no Docker engine answers');
  return {
    provide: async (image) => {
      try {
        if (await has(image)) return;
        const pulled = await ask('POST', `/images/create?fromImage=${encodeURIComponent(byDigest(image))}`);
        const failure = failureOf(await text(pulled));
        if (failure !== undefined || !isDone(pulled)) throw new Error(failure ?? `status ${pulled.statusCode}`);
        if (!(await has(image))) throw new Error('the registry has no image for this platform');
      } catch (error) {
        throw new Error(`Docker cannot get ${image}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    },
  };
}

/** Removes the tag beside a digest: the digest alone identifies the image. */
const byDigest = (image: string): string => image.replace(/:[^:/@]+(?=@)/, '');

const isDone = ({ statusCode }: IncomingMessage): boolean => statusCode === 200;

/** The error in a response, in one line: it is in `message` of an error response, or in `error` of the last progress line. */
function failureOf(answer: string): string | undefined {
  const found = /"(?:message|error)":"((?:[^"\\]|\\.)*)"/.exec(answer)?.[1];
  return found && (JSON.parse(`"${found}"`) as string).split('\n')[0];
}
