import { waitFor } from '@stechuhr/testing';
import { call, query } from '../../support/http.js';
import { download, finishedTask } from '../../support/tasks.js';
import { lastMonth } from '../platform/last-month.js';
import { toolbox } from '../platform/toolbox.js';
import { insist, type Scenario } from './scenario.js';

/**
 * Each step is repeated until it succeeds: right after an installation, a busy machine stalls servers for seconds, and node ports are there a moment
 * after the pods. What happens to requests then is tested by other scenarios.
 */
export const install: Scenario = {
  name: 'install, helm test, demo, token, exports',
  brief: true,
  async run(platform) {
    if (platform.reused) await platform.release.upgrade(platform.values());
    else await platform.release.install(platform.values());
    insist((await platform.release.test()).includes('Phase:          Succeeded'), 'helm test did not say that it succeeded');
    const demo = (await waitFor(() => toolbox(platform, 'demo'))) as { institution_id: string; account_id: string };
    Object.assign(platform, { account: demo.account_id, institution: demo.institution_id });
    const issued = (await waitFor(() => toolbox(platform, 'tokens', 'issue', '--account', demo.account_id, '--name', 'check'))) as {
      token: string;
    };
    platform.token = issued.token;
    const { daterange } = lastMonth();
    const address = `${platform.gateway}/api/v2/exports/generic/?`;
    const direct = await waitFor(async () => {
      const answer = await call(address + query({ daterange, response_only: 'true' }), platform);
      insist(answer.status === 200 && answer.text.split('\n').length > 20, `the export was answered with ${answer.status}: ${answer.text}`);
      return answer;
    });
    const { target } = await finishedTask(address + query({ daterange, is_async: 'true' }), platform.token);
    await waitFor(async () => {
      const file = await download(target);
      insist(file.status === 200 && file.body.length > 0, `the file at ${target} was answered with ${file.status}`);
      return true;
    });
    return { requests: 3, failed: 0, note: `${direct.text.split('\n').length} lines exported` };
  },
};
