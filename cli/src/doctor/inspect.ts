import { inspectionV1 } from '@stechuhr/contracts';
import { readStream } from '@stechuhr/service';
import { Failure } from '../failure.js';
import { grpcClient } from '../grpc-client.js';
import { servicesWithData, type Platform } from '../platform.js';
import { withTokenAdmin } from '../tokens/with-token-admin.js';
import { failed, ok, warning, type Finding } from './check.js';
import { inspectionTexts } from './inspection-texts.js';
import type { Check } from './run-checks.js';

/** Which data is inspected, and whether defects are repaired. */
export interface InspectionTerms {
  /** Younger data is skipped, as it may still be in use. */
  readonly olderThanSeconds: number;
  readonly repair: boolean;
}

/** One inspection result of a service. */
type InspectionResult = Omit<inspectionV1.InspectResponse, 'problem'> & { readonly problem: string };

/** A service reads a whole collection or lists all objects before it answers. */
const INSPECTION_MS = 900_000;
const ALL_INSPECTIONS_MS = 4 * 3_600_000;

/** Has every service inspect its own stores. */
export function inspections(platform: Platform, terms: InspectionTerms): readonly Check[] {
  return [
    ...servicesWithData.map((service) => ({ name: `${service} stores`, run: () => inspect(platform, service, terms) })),
    { name: 'gateway stores', run: () => inspectTokens(platform, terms) },
  ];
}

async function inspect(
  platform: Platform,
  service: (typeof servicesWithData)[number],
  terms: InspectionTerms,
): Promise<readonly Finding[]> {
  const client = grpcClient(inspectionV1.InspectionServiceClient, platform.grpcAddress(service));
  const limits = { deadlineMs: ALL_INSPECTIONS_MS, stallMs: INSPECTION_MS };
  const results: InspectionResult[] = [];
  try {
    for await (const result of readStream(client, client.inspect, terms, limits)) results.push(result);
  } catch (caught) {
    return [notInspected(service, Failure.fromPlatform(caught).message)];
  } finally {
    client.close();
  }
  return findingsOf(service, results);
}

/** The gateway has no gRPC server, so its token store is accessed directly, as the commands for tokens do. */
async function inspectTokens(platform: Platform, { olderThanSeconds, repair }: InspectionTerms): Promise<readonly Finding[]> {
  try {
    const results = await withTokenAdmin(platform, ({ inspect: inspectStore }) =>
      inspectStore({ olderThanMs: olderThanSeconds * 1_000, repair }),
    );
    return findingsOf(
      'gateway',
      results.map((one) => ({ ...one, examples: [...one.examples], problem: '' })),
    );
  } catch (caught) {
    return [notInspected('gateway', Failure.fromPlatform(caught).message)];
  }
}

/** One line for a service without defects, otherwise one line for each defect. */
function findingsOf(service: string, results: readonly InspectionResult[]): readonly Finding[] {
  const name = `${service} stores`;
  const found = results.filter(({ count, problem }) => count > 0 || problem !== '').map((result) => ({ ...describe(result), name }));
  return found.length > 0 ? found : [ok(name, `no leftovers, nothing missing (${String(results.length)} checks)`)];
}

function describe({ check, place, count, examples, repaired, problem }: InspectionResult): Finding {
  if (problem !== '') return failed('', `${place} could not be checked for ${check}: ${problem}`, 'Fix the server first, then try again.');
  const text = inspectionTexts[check];
  const some = examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`;
  const detail = `${place}: ${String(count)} ${text?.what ?? check}${some}`;
  if (repaired >= count) return warning('', `${detail}; ${text?.repaired ?? 'repaired'}`, 'No action is needed: it was repaired.');
  return failed('', detail, text?.advice ?? 'Update the command line: its version does not know this check.');
}

function notInspected(service: string, reason: string): Finding {
  return failed(`${service} stores`, `cannot be checked: ${reason.split('\n')[0] ?? ''}`, `Start ${service}, then try again.`);
}
