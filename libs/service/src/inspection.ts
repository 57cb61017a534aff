import { inspectionV1 } from '@stechuhr/contracts';
import { AppError, type Inspection, type InspectionTerms } from '@stechuhr/kernel';
import { serverStream } from './grpc/handlers.js';
import type { ServedService } from './grpc/server.js';

/** Creates the gRPC service for the inspections of a service. They run one after the other, to limit the load on the servers. */
export function inspectionService(inspections: readonly Inspection[]): ServedService {
  const implementation: inspectionV1.InspectionServiceServer = {
    inspect: serverStream(async function* ({ olderThanSeconds, repair }, { signal }) {
      for (const inspection of inspections) yield await inspected(inspection, { olderThanMs: olderThanSeconds * 1_000, repair, signal });
    }),
  };
  return { definition: inspectionV1.InspectionServiceService, implementation: { ...implementation } };
}

/** Runs an inspection. If it fails, the response contains the problem, and the others continue. */
async function inspected({ check, place, inspect }: Inspection, terms: InspectionTerms): Promise<inspectionV1.InspectResponse> {
  try {
    const { count, examples, repaired } = await inspect(terms);
    return { check, place, count, examples: [...examples], repaired, problem: '' };
  } catch (caught) {
    terms.signal.throwIfAborted();
    return { check, place, count: 0, examples: [], repaired: 0, problem: AppError.from(caught).message };
  }
}
