import { runWithChildren } from './processes.mjs';

/**
 * Runs a command that starts servers in temporary homes. One that is ended by a signal cannot stop them any more: that is done here.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit code
 */
export async function runWithServers(command, args, env) {
  const code = await runWithChildren(command, args, env);
  if (code > 128) {
    const { sweepTemporaryHomes } = await import('../../libs/local-infra/dist/index.js');
    await sweepTemporaryHomes();
  }
  return code;
}
