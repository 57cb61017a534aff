import { Home } from '@stechuhr/local-infra';
import { readConfig } from './config.js';
import { loadDemo } from './demo.js';
import { startPlatform, type Platform } from './platform.js';
import { onStopSignal } from './stop-signal.js';
import { removeRunFile, type DemoAccess } from './run-file.js';
import { welcome } from './welcome.js';

const log = (line: string): void => console.error(`stechuhr: ${line}`);

/** Runs until a signal stops it; the exit code says whether the platform was ever ready. */
async function main(): Promise<number> {
  const config = readConfig();
  const home = await Home.open(config.home, log);
  let platform: Platform | undefined;
  const stopping = new AbortController();
  /** Errors while stopping are expected, since everything ends. */
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
    // A start that is stopped fails for that reason, which is not an error.
    const unlessStopped = starting.catch((error: unknown) => (stopping.signal.aborted ? stopped : Promise.reject(error)));
    platform = (await Promise.race([unlessStopped, stopped])) ?? undefined;
    // The start completed after the stop signal: what does not belong to this home, such as containers, has to be stopped as well.
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
