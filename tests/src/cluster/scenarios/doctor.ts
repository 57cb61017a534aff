import { toolbox } from '../platform/toolbox.js';
import { Broken, type Scenario } from './scenario.js';

interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

export const doctorInside: Scenario = {
  name: 'doctor in the toolbox finds everything, and nothing wrong',
  brief: true,
  async run(platform) {
    const findings = (await toolbox(platform, 'doctor')) as readonly Finding[];
    const wrong = findings.filter(({ state }) => state === 'failed');
    if (wrong.length > 0) throw new Broken(wrong.map(({ name, detail }) => `${name}: ${detail}`).join('\n'));
    return { note: `${findings.length} findings` };
  },
};
