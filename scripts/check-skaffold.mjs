// What skaffold itself says of skaffold.yaml, as far as it goes without a cluster and without a Docker engine: the configuration is read in
// every profile, and the chart is rendered as it would be deployed. Builds skaffold once, which takes some minutes; not part of CI.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { provideTool } from '../libs/local-infra/dist/index.js';

const log = (line) => console.error(line);
const [skaffold, helm] = [await provideTool('skaffold', log), await provideTool('helm', log)];
const env = { ...process.env, PATH: `${dirname(helm)}${delimiter}${process.env.PATH}`, SKAFFOLD_UPDATE_CHECK: 'false' };
const folder = mkdtempSync(join(tmpdir(), 'stechuhr-skaffold-'));
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 26 });

try {
  for (const path of ['skaffold.yaml', 'helm', 'deploy']) cpSync(path, join(folder, path), { recursive: true });
  // Of those who deploy to production.
  cpSync('helm/stechuhr/ci/external.yaml', join(folder, 'values.prod.yaml'));
  run(helm, 'dependency', 'build', 'helm/stechuhr');
  for (const profile of ['dev', 'ci', 'prod']) {
    const read = run(skaffold, 'diagnose', '--yaml-only', '--profile', profile);
    const target = profile === 'dev' ? 'dev' : 'production';
    if (!read.includes(`target: ${target}`)) throw new Error(`profile ${profile} does not build the target ${target}`);
    const images = [...new Set(read.match(/stechuhr\/[a-z-]+/g))];
    const builds = images.map((imageName) => ({ imageName, tag: `registry.example.com/${imageName}:checked` }));
    writeFileSync(join(folder, 'builds.json'), JSON.stringify({ builds }));
    const options = ['--profile', profile, '--build-artifacts', 'builds.json', '--digest-source', 'none', '--offline=true'];
    const rendered = run(skaffold, 'render', ...options);
    const deployed = new Set(rendered.match(/registry\.example\.com\/stechuhr\/[a-z-]+:checked/g));
    console.log(
      `${profile}: ${images.length} images, ${deployed.size} of them deployed, ${rendered.match(/^kind:/gm)?.length ?? 0} objects`,
    );
    if (deployed.size < 8) throw new Error(`profile ${profile} deploys other images than it builds`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
