import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Settings of `npm start`. */
export interface StartConfig {
  /** `STECHUHR_HOME`: the state folder. */
  readonly home: string;
  /** `PORT` of the gateway; 0 means any free port. */
  readonly port: number;
  /** Whether the demo organization is loaded; `STECHUHR_DEMO=off` starts an empty platform. */
  readonly demo: boolean;
  /** `--observe`: whether traces, metrics and dashboards are started too. */
  readonly observe: boolean;
}

const DEFAULT_HOME = fileURLToPath(new URL('../../../.stechuhr', import.meta.url));
const DEFAULT_PORT = 8080;
const MAX_PORT = 65_535;
const OBSERVE = '--observe';

/**
 * Reads the settings.
 * @throws one error that names all invalid settings
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, args: readonly string[] = process.argv.slice(2)): StartConfig {
  const port = env['PORT'] ? portOf(env['PORT']) : DEFAULT_PORT;
  const demo = env['STECHUHR_DEMO'] || 'on';
  const unknown = args.filter((argument) => argument !== OBSERVE);
  const problems = [
    ...(port <= MAX_PORT ? [] : [`PORT must be a port or 0, not "${env['PORT']}"`]),
    ...unknown.map((argument) => `there is no option ${argument}, only ${OBSERVE}`),
    ...(demo === 'on' || demo === 'off' ? [] : [`STECHUHR_DEMO must be on or off, not "${demo}"`]),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  // npm runs scripts in the package's folder; a relative path refers to the folder in which the user typed the command.
  const home = resolve(env['INIT_CWD'] ?? '.', env['STECHUHR_HOME'] || DEFAULT_HOME);
  return { home, port, demo: demo === 'on', observe: args.includes(OBSERVE) };
}

/** NaN for what is not written in digits: a blank is no 0. */
function portOf(text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : NaN;
}
