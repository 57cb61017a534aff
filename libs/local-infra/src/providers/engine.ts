import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A Docker engine. Spoken to by Node's own modules: prefetching runs before any package is installed. */
export interface Engine {
  /** Makes sure that the engine has an image, and pulls it where it does not. Rejects with the reason when it cannot be had. */
  provide(image: string): Promise<void>;
}

/** How long the engine may be silent: it names its progress while it pulls, and gives up a registry that does not answer by itself. */
const SILENCE_MS = 60_000;
/** Nobody listens at most machines without an engine, which is told at once; a slow answer is one of a machine that is full. */
const PING_MS = 10_000;

const engines = new Map<string, Promise<Engine>>();

/**
 * The engine that `DOCKER_HOST` names, else the one at its usual place. Asked once for a process: either all servers find it, or none.
 * Rejects when none answers.
 */
export function findEngine(env: NodeJS.ProcessEnv): Promise<Engine> {
  const host = env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';
  const known = engines.get(host) ?? connectEngine(host);
  engines.set(host, known);
  return known;
}

/** The engine at an address, when it answers within a time. */
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

/** What decides which image it is: a tag beside a digest is for people. */
const byDigest = (image: string): string => image.replace(/:[^:/@]+(?=@)/, '');

const isDone = ({ statusCode }: IncomingMessage): boolean => statusCode === 200;

/** What went wrong, in one line: an error comes as `message` with a status, or as `error` in the last of the lines about progress. */
function failureOf(answer: string): string | undefined {
  const found = /"(?:message|error)":"((?:[^"\\]|\\.)*)"/.exec(answer)?.[1];
  return found && (JSON.parse(`"${found}"`) as string).split('\n')[0];
}
