import { Home } from '@stechuhr/local-infra';
import { readConfig } from './config.js';
import { loadDemo } from './demo.js';
import { startPlatform, type Platform } from './platform.js';
import { onStopSignal } from './stop-signal.js';
import { removeRunFile, type DemoAccess } from './run-file.js';
import { welcome } from './welcome.js';

const log = (line: string): void => console.error(`stechuhr: ${line}`);

/** Runs until a signal stops it; the exit code says whether it ever was ready. */
async function main(): Promise<number> {
  const config = readConfig();
  const home = await Home.open(config.home, log);
  let platform: Platform | undefined;
  let stopping = false;
  const stopped = onStopSignal({
    stop: async () => {
      stopping = true;
      log('stopping; the data stays');
      await (platform ? platform.stop() : home.endAll());
    },
    stopHard: () => home.endAll(0),
  });
  try {
    let reportId: string | undefined;
    const demo = async (variables: NodeJS.ProcessEnv): Promise<DemoAccess> => {
      const loaded = await loadDemo(home, log, variables);
      reportId = loaded.reportId;
      return loaded.access;
    };
    const starting = startPlatform({ home, port: config.port, observe: config.observe, log, ...(config.demo ? { loadDemo: demo } : {}) });
    // A start that is stopped fails because of that, which is not an error.
    const unlessStopped = starting.catch((error: unknown) => (stopping ? stopped : Promise.reject(error)));
    platform = (await Promise.race([unlessStopped, stopped])) ?? undefined;
    if (platform) console.log(`\n${welcome(platform.run, { home: home.path, today: new Date(), reportId })}\n`);
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
