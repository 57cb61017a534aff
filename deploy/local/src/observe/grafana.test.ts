import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findGrafana } from './grafana.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stechuhr-grafana-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Installs files like a package would. */
function install(program: string, files: string): void {
  for (const path of [join(program, '..'), join(files, 'conf')]) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, program), '');
  writeFileSync(join(folder, files, 'conf/defaults.ini'), '');
}

describe('findGrafana', () => {
  it.each([
    ['unpacked', 'grafana/bin/grafana', 'grafana'],
    ['of a package manager', 'bin/grafana', 'share/grafana'],
  ])('finds the files of one that is %s', (_how, program, files) => {
    install(program, files);
    const found = { command: join(folder, program), homePath: join(folder, files) };
    expect(findGrafana({ PATH: join(folder, program, '..') })).toEqual(found);
    expect(findGrafana({ PATH: '/nowhere', GRAFANA_BIN: found.command })).toEqual(found);
  });

  it('follows a link on PATH', () => {
    install('opt/bin/grafana', 'opt');
    mkdirSync(join(folder, 'links'));
    symlinkSync(join(folder, 'opt/bin/grafana'), join(folder, 'links/grafana'));
    expect(findGrafana({ PATH: join(folder, 'links') }).homePath).toBe(join(folder, 'opt'));
  });

  it('reports what is missing', () => {
    expect(() => findGrafana({ PATH: folder })).toThrow('no grafana on PATH');
  });
});
