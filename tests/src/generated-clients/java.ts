import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { provideJavaGenerator, runCommand } from '@stechuhr/local-infra';
import { DOCUMENT, program, settings, type GeneratedClient } from './client.js';

/** It runs for seconds: the compiler that makes code fast would take longer than it saves. */
const QUICK = '-XX:TieredStopAtLevel=1';

/** By openapi-generator; compiled with the libraries that its own pom lists. */
export const java: GeneratedClient = {
  language: 'Java',
  async provide(log) {
    const { jar, libraries } = await provideJavaGenerator(log);
    return {
      async generate(folder) {
        const [sources, classes] = [join(folder, 'sources'), join(folder, 'classes')];
        const paths = ['--config', settings('java/openapi-generator.yaml'), '--input-spec', DOCUMENT, '--output', sources];
        await runCommand('java', [QUICK, '-jar', jar, 'generate', ...paths]);
        const files = [...globSync(join(sources, 'src/main/java/**/*.java')), program('Walk.java')];
        const path = libraries.join(delimiter);
        // The walk finds parameters by their names.
        const options = ['-parameters', '-nowarn', '-proc:none', '-d', classes, '-cp', path];
        await runCommand('javac', [`-J${QUICK}`, ...options, ...files]);
        return { command: 'java', args: [QUICK, '-cp', [classes, path].join(delimiter), 'Walk', classes], env: process.env };
      },
    };
  },
};
