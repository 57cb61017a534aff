// The entry point of every npm command. It runs on Node 20 with built-in modules only; it fetches Node 24 and prepares the checkout if
// necessary.
//   start · test [jest arguments] · bench [case…] · check [--without-tests] · cli <arguments> · run <step> [arguments]
import { fileURLToPath } from 'node:url';
import { environment, isNewEnough, node24 } from './bootstrap/node24.mjs';
import { runInForeground } from './bootstrap/processes.mjs';
import { Advice, say } from './bootstrap/say.mjs';

/** @type {Record<string, (args: readonly string[]) => Promise<number>>} */
const commands = {
  start: async (args) => {
    const { prepare } = await import('./bootstrap/prepare.mjs');
    await prepare('dist', { fetchServers: true });
    return runInForeground(process.execPath, [path('../deploy/local/dist/main.js'), ...args], environment());
  },
  test: async (args) => {
    const { prepare } = await import('./bootstrap/prepare.mjs');
    const { runTests } = await import('./bootstrap/tests.mjs');
    await prepare('dist', { fetchServers: true, fetchTools: true });
    return runTests(args);
  },
  bench: async (args) => {
    const { prepare } = await import('./bootstrap/prepare.mjs');
    const { runWithServers } = await import('./bootstrap/servers.mjs');
    await prepare('bench', { fetchServers: true });
    return runWithServers(process.execPath, [path('../bench/dist/main.js'), ...args], environment(), path('../.cache/bench'));
  },
  check: async (args) => {
    const unknown = args.filter((argument) => argument !== '--without-tests');
    if (unknown.length > 0) throw new Advice(`check has no option ${unknown.join(', ')}, only --without-tests.`);
    return (await import('./bootstrap/checks.mjs')).check({ tests: args.length === 0 });
  },
  cli: async (args) => {
    const { prepare } = await import('./bootstrap/prepare.mjs');
    await prepare('dist');
    // Relative paths refer to the folder in which the user typed the command; npm changes to the folder of the package.
    process.chdir(process.env.INIT_CWD ?? '.');
    return runInForeground(process.execPath, [...telemetry(), path('../cli/dist/main.js'), ...args], environment());
  },
  run: async ([step = '', ...args]) => (await import('./bootstrap/checks.mjs')).runStep(step, args),
};

/** Node options that load telemetry. Loading takes longer than most commands run, so it happens only if spans are exported. */
const telemetry = () => {
  const wanted = Object.keys(process.env).some((name) => name.startsWith('OTEL_EXPORTER_OTLP_'));
  return wanted ? ['--import', new URL('../libs/service/dist/telemetry.js', import.meta.url).href] : [];
};

/** @param {string} relative */
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** @param {readonly string[]} argv */
async function main(argv) {
  const [name = '', ...args] = argv;
  const command = commands[name];
  if (command === undefined) throw new Advice(`usage: bootstrap.mjs ${Object.keys(commands).join('|')}`);
  if (isNewEnough()) return command(args);
  return runInForeground(await node24(), [fileURLToPath(import.meta.url), ...argv]);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Advice)) throw error;
  say(error.message);
  process.exitCode = 1;
}
