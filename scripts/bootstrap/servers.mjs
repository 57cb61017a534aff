import { runWithChildren } from './processes.mjs';

/**
 * Runs a command that starts servers in temporary or permanent homes. If a signal ends the command, it can no longer stop its servers, so
 * they are stopped here.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [homes] the folder of the permanent homes
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
