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

/** Creates the files of an installed Grafana. */
function install(program: string, files: string): void {
  for (const path of [join(program, '..'), join(files, 'conf')]) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, program), '');
  writeFileSync(join(folder, files, 'conf/defaults.ini'), '');
}

describe('findGrafana', () => {
  it.each([
    ['an unpacked archive', 'grafana/bin/grafana', 'grafana'],
    ['a package manager', 'bin/grafana', 'share/grafana'],
  ])('finds the files of a Grafana from %s', (_how, program, files) => {
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

  it('reports that Grafana is missing', () => {
    expect(() => findGrafana({ PATH: folder })).toThrow('no grafana on PATH');
  });
});
