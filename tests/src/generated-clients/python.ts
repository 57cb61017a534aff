import { join } from 'node:path';
import { providePythonGenerator, runCommand } from '@stechuhr/local-infra';
import { DOCUMENT, program, settings, type GeneratedClient } from './client.js';

const PACKAGE = 'stechuhr_client';

/** The Python client of openapi-python-client, compiled and with checked types. */
export const python: GeneratedClient = {
  language: 'Python',
  async provide(log) {
    const { command, args, env } = await providePythonGenerator(log);
    return {
      async generate(folder) {
        const own = { ...process.env, ...env };
        const paths = [
          '--path',
          DOCUMENT,
          '--config',
          settings('python/openapi-python-client.yaml'),
          '--output-path',
          join(folder, PACKAGE),
        ];
        // By default, code that cannot be generated causes only a warning.
        await runCommand(command, [...args, 'generate', ...paths, '--meta', 'none', '--fail-on-warning'], { cwd: folder, env: own });
        await runCommand(command, ['-m', 'compileall', '-q', PACKAGE], { cwd: folder, env: own });
        await runCommand(command, ['-m', 'mypy', '--cache-dir', join(folder, '.mypy'), PACKAGE], { cwd: folder, env: own });
        return {
          command,
          args: [program('walk.py'), PACKAGE],
          env: { ...own, PYTHONPATH: [folder, env['PYTHONPATH']].join(':') },
        };
      },
    };
  },
};
