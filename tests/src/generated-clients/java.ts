import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { provideJavaGenerator, runCommand } from '@stechuhr/local-infra';
import { DOCUMENT, program, settings, type GeneratedClient } from './client.js';

/** Disables the optimizing compiler, which would cost more time than it saves in a program that runs for seconds. */
const QUICK = '-XX:TieredStopAtLevel=1';

/** The Java client of openapi-generator, compiled with the libraries in its generated pom. */
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
        // `-parameters` keeps the names of parameters, by which the walk finds them. Java 17 would take the encoding from the locale.
        const options = ['-parameters', '-encoding', 'UTF-8', '-nowarn', '-proc:none', '-d', classes, '-cp', path];
        await runCommand('javac', [`-J${QUICK}`, ...options, ...files]);
        return { command: 'java', args: [QUICK, '-cp', [classes, path].join(delimiter), 'Walk', classes], env: process.env };
      },
    };
  },
};
