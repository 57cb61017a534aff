import type { browseV1 } from '@stechuhr/contracts';
import { isUuid, pageOf } from '@stechuhr/kernel';
import { ask, readList } from '../clients/services.js';
import { sendPage } from '../http/send-stream.js';
import type { RecordGroup } from '../records/group.js';
import { groups } from '../records/groups.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

interface Dependencies {
  readonly browse: browseV1.BrowseServiceClient;
}

/** Returns the read-only routes of the records to which other groups refer by id. */
export function recordRoutes(dependencies: Dependencies): CallerRoute[] {
  return groups.flatMap((group): CallerRoute[] => {
    const { path, titles, descriptions } = group;
    const listPath = `${BASE_PATH}${path}/`;
    const resource = { ...dependencies, group, listPath };
    return [
      {
        path: listPath,
        name: titles[1],
        description: descriptions[1],
        authenticated: true,
        group: path,
        operations: { GET: { strictScope: 'records:view', jsonOnly: true, handle: (exchange) => listRecords(resource, exchange) } },
      },
      {
        path: `${listPath}:id/`,
        matches: ({ id }) => typeof id === 'string' && isUuid(id),
        name: titles[0],
        description: descriptions[0],
        authenticated: true,
        operations: { GET: { strictScope: 'records:view', jsonOnly: true, handle: (exchange) => answerRecord(resource, exchange) } },
      },
    ];
  });
}

interface RecordResource extends Dependencies {
  readonly group: RecordGroup;
  readonly listPath: string;
}

async function listRecords({ browse, group, listPath }: RecordResource, exchange: CallerExchange): Promise<void> {
  const { response, signal, principal, query, publicBase } = exchange;
  const page = pageOf(query.limit, query.offset);
  const request = { caller: principal.caller, group: group.wireGroup, parameters: query, ...page };
  const messages = readList(browse, browse.listRecords, request, { signal });
  const results = ({ records }: browseV1.ListRecordsResponse) => records.map((record) => group.toJson(record));
  await sendPage(response, { address: publicBase + listPath, query, ...page, messages, results, signal });
}

async function answerRecord({ browse, group }: RecordResource, { request, answer, signal, principal }: CallerExchange): Promise<void> {
  const message = { caller: principal.caller, group: group.wireGroup, id: String(request.params.id) };
  const { record } = await ask(browse, browse.getRecord, message, { signal, idempotent: true });
  return answer(group.toJson(record));
}
