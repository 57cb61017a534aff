import type { Provider } from './provider.js';

/** A server named in the environment: used as it is, never stopped. */
export function fromEnvironment<A>(variable: string, read: (env: NodeJS.ProcessEnv, value: string) => A): Provider<A> {
  return {
    id: 'environment',
    prepare: async ({ env }) => {
      const value = env[variable];
      if (!value) throw new Error(`no ${variable}`);
      const address = read(env, value);
      const notOurs = async (): Promise<void> => {
        throw new Error(`the server of ${variable} is not ours to end`);
      };
      return {
        description: `the one of ${variable}`,
        start: async () => ({ address, died: new Promise<string>(() => {}), stop: async () => {}, kill: notOurs }),
      };
    },
  };
}
