import type { Platform } from './platform.js';

/**
 * Runs JavaScript inside the process of a container through Node's inspector, which a signal opens on the loopback address of the
 * container. The result is not awaited, because the process may not survive.
 */
export function insideProcess({ kube }: Platform, pod: string, expression: string): Promise<string> {
  const script = `
    process.kill(1, 'SIGUSR1');
    const ask = () => fetch('http://127.0.0.1:9229/json').then((answer) => answer.json(), () => new Promise((again) => setTimeout(again, 50)).then(ask));
    const [{ webSocketDebuggerUrl }] = await ask();
    const socket = new WebSocket(webSocketDebuggerUrl);
    await new Promise((opened) => socket.addEventListener('open', opened));
    socket.addEventListener('message', () => process.exit());
    socket.addEventListener('close', () => process.exit());
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: ${JSON.stringify(expression)} } }));`;
  return kube.node(pod, script);
}
