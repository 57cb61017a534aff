import { podsOf, services } from '../platform/pods.js';
import { Broken, insist, type Scenario } from './scenario.js';

/** What a process reports about itself. */
interface Findings {
  readonly uid: number;
  readonly capabilities: string;
  readonly noNewPrivileges: string;
  readonly seccomp: string;
  readonly written: readonly string[];
  readonly token: boolean;
  readonly authorities: number;
}

const LOOK = `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  import { getCACertificates } from 'node:tls';
  const status = Object.fromEntries(readFileSync('/proc/1/status', 'utf8').split('\\n').map((line) => line.split(':\\t')));
  const written = ['/app/x', '/x', '/etc/x', '/home/nonroot/x', '/nodejs/x'].filter((file) => {
    try { writeFileSync(file, ''); return true; } catch { return false; }
  });
  writeFileSync('/tmp/x', '');
  console.log(JSON.stringify({
    uid: process.getuid(), capabilities: status.CapEff + status.CapBnd, noNewPrivileges: status.NoNewPrivs, seccomp: status.Seccomp, written,
    token: existsSync('/var/run/secrets/kubernetes.io'), authorities: getCACertificates('extra').length,
  }));`;

export const barePods: Scenario = {
  name: 'read-only files, no capabilities, no account token, an authority of one’s own, in every pod',
  brief: true,
  async run(platform) {
    const pods = await podsOf(platform, ...services, 'toolbox');
    insist(pods.length > services.length, 'there are too few pods');
    const wrong: string[] = [];
    for (const { metadata } of pods) {
      const found = JSON.parse(await platform.kube.node(metadata.name, LOOK)) as Findings;
      const says = (what: string): number => wrong.push(`${metadata.name}: ${what}`);
      if (found.uid === 0) says('runs as root');
      if (/[1-9a-f]/.test(found.capabilities)) says(`has capabilities ${found.capabilities}`);
      if (found.noNewPrivileges !== '1') says('may gain privileges');
      if (found.seccomp !== '2') says('has no filter of system calls');
      if (found.written.length > 0) says(`could write ${found.written.join(', ')}`);
      if (found.token) says('has a token of the Kubernetes API');
      if (found.authorities !== 1) says('does not trust the authority of the servers');
    }
    if (wrong.length > 0) throw new Broken(wrong.join('\n'));
    return { note: `${pods.length} pods` };
  },
};
