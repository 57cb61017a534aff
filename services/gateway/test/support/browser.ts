import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** Debian's Chromium, if it is installed. */
export const chromium = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium-headless-shell', 'chromium'].map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/** Returns an expression for the lowest contrast between the text of an element and its background (WCAG 2.2, 1.4.3). */
export const CONTRAST = `(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => rgb(color).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return color === 'rgba(0, 0, 0, 0)' && element.parentElement !== null ? behind(element.parentElement) : color;
  };
  const ratio = (element) => {
    const [dark, light] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  return Math.min(...[...document.querySelectorAll('h1, h2, h4, p, a, code, dt, dd, span, label, input, footer')].map(ratio));
})()`;

type Fields = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: { readonly message: string };
}

/** One tab of a real browser, controlled by the Chrome DevTools Protocol. */
export interface Tab {
  /** The addresses requested since the page was opened. */
  readonly requests: readonly string[];
  /** The problems that the browser reported, such as violations of the content security policy. */
  readonly complaints: readonly string[];
  send(method: string, params?: Fields): Promise<Fields>;
  open(url: string, width: number): Promise<void>;
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  press(key: string): Promise<void>;
  close(): Promise<void>;
}

export async function openTab(program: string): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), 'stechuhr-browser-'));
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  // Started in its own process group: Debian's command is a script, which would be ended without the browser.
  const browser = spawn(program, [...options, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const port = new URL(await debuggerAddress(browser)).port;
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { type: string; webSocketDebuggerUrl: string }[];
  const page = targets.find(({ type }) => type === 'page');
  if (page === undefined) throw new Error('The browser has no page.');
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  await once(socket, 'open');
  const tab = new DevtoolsTab(socket);
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await tab.send(`${domain}.enable`);
  return Object.assign(tab, {
    async close() {
      socket.close();
      const ended = once(browser, 'exit');
      if (browser.pid !== undefined) process.kill(-browser.pid);
      await ended;
      // Its helper processes may outlive it and keep the pipe open.
      browser.stderr.destroy();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  });
}

async function debuggerAddress({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('The browser has no standard error.');
  for await (const line of createInterface(stderr)) {
    const [, address] = /listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) {
      stderr.resume();
      return address;
    }
  }
  throw new Error('The browser did not start.');
}

class DevtoolsTab {
  requests: string[] = [];
  complaints: string[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve: (result: Fields) => void; reject: (error: Error) => void }>();
  #loaded: () => void = () => undefined;
  #id = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Message));
  }

  send(method: string, params: Fields = {}): Promise<Fields> {
    const id = ++this.#id;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  async open(url: string, width: number): Promise<void> {
    const loaded = new Promise<void>((resolve) => (this.#loaded = resolve));
    this.requests = [];
    this.complaints = [];
    await this.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
    await this.send('Page.navigate', { url });
    await loaded;
  }

  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.send('Runtime.evaluate', { expression, returnByValue: true });
    if (answer['exceptionDetails'] !== undefined) throw new Error(JSON.stringify(answer['exceptionDetails']));
    return (answer['result'] as Fields)['value'];
  }

  async press(key: string): Promise<void> {
    const text = key.length === 1 ? { text: key } : {};
    const code = { Tab: 9, Escape: 27 }[key];
    const event = { key, ...text, ...(code === undefined ? {} : { windowsVirtualKeyCode: code, code: key }) };
    await this.send('Input.dispatchKeyEvent', { type: key.length === 1 ? 'keyDown' : 'rawKeyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  #receive({ id, method, params = {}, result = {}, error }: Message): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id !== undefined) this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
    if (method === 'Page.loadEventFired') this.#loaded();
    if (method === 'Network.requestWillBeSent') this.requests.push(String((params['request'] as Fields)['url']));
    if (method === 'Log.entryAdded') this.complaints.push(String((params['entry'] as Fields)['text']));
    if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params['exceptionDetails']));
  }
}
