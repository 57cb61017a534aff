import { runWithChildren } from './processes.mjs';

/**
 * Runs a command that starts servers in temporary homes, or in homes that are kept. If it is ended by a signal, it cannot stop them any more, which
 * is then done here.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [homes] the folder of those that are kept
 * @returns {Promise<number>} its exit code
 */
export async function runWithServers(command, args, env, homes) {
  const code = await runWithChildren(command, args, env);
  if (code > 128) {
    const { sweepHomesIn, sweepTemporaryHomes } = await import('../../libs/local-infra/dist/index.js');
    await sweepTemporaryHomes();
    if (homes !== undefined) await sweepHomesIn(homes);
  }
  return code;
}
