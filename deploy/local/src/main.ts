import { Home } from '@stechuhr/local-infra';
import { readConfig } from './config.js';
import { loadDemo } from './demo.js';
import { startPlatform, type Platform } from './platform.js';
import { onStopSignal } from './stop-signal.js';
import { removeRunFile, type DemoAccess } from './run-file.js';
import { welcome } from './welcome.js';

const log = (line: string): void => console.error(`stechuhr: ${line}`);

/** Runs the platform until a signal stops it, and returns the exit code. */
async function main(): Promise<number> {
  const config = readConfig();
  const home = await Home.open(config.home, log);
  let platform: Platform | undefined;
  const stopping = new AbortController();
  /** Suppresses failures of programs that are still starting while the platform stops. */
  const logUnlessStopping = (line: string): void => {
    if (!stopping.signal.aborted) log(line);
  };
  const stopped = onStopSignal({
    stop: async () => {
      stopping.abort();
      log('stopping; the data stays');
      await (platform ? platform.stop() : home.endAll());
    },
    stopHard: () => home.endAll(0),
  });
  try {
    let reportId: string | undefined;
    const demo = async (variables: NodeJS.ProcessEnv): Promise<DemoAccess> => {
      const loaded = await loadDemo(home, logUnlessStopping, variables);
      reportId = loaded.reportId;
      return loaded.access;
    };
    const settings = { port: config.port, observe: config.observe, ...(config.demo ? { loadDemo: demo } : {}) };
    const starting = startPlatform({ home, log: logUnlessStopping, ...settings });
    // If the start is interrupted by a stop signal, its failure is not an error.
    const unlessStopped = starting.catch((error: unknown) => (stopping.signal.aborted ? stopped : Promise.reject(error)));
    platform = (await Promise.race([unlessStopped, stopped])) ?? undefined;
    // The platform became ready after the stop signal. `endAll` ends only processes of this home; stopping the platform also ends
    // containers.
    if (stopping.signal.aborted) await platform?.stop();
    else if (platform) console.log(`\n${welcome(platform.run, { home: home.path, today: new Date(), reportId })}\n`);
    await stopped;
    return 0;
  } finally {
    removeRunFile(home.path);
    await home.close();
  }
}

try {
  process.exit(await main());
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
