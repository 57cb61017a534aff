import { inspectionV1 } from '@stechuhr/contracts';
import { AppError, type Inspection, type InspectionTerms } from '@stechuhr/kernel';
import { serverStream } from './grpc/handlers.js';
import type { ServedService } from './grpc/server.js';

/** Serves what operators can have looked for. One look after the other: an inspection must not take the servers from clients. */
export function inspectionService(inspections: readonly Inspection[]): ServedService {
  const implementation: inspectionV1.InspectionServiceServer = {
    inspect: serverStream(async function* ({ olderThanSeconds, repair }, { signal }) {
      for (const inspection of inspections) yield await lookAt(inspection, { olderThanMs: olderThanSeconds * 1_000, repair, signal });
    }),
  };
  return { definition: inspectionV1.InspectionServiceService, implementation: { ...implementation } };
}

/** A look that fails leaves the others as they are. */
async function lookAt({ check, place, look }: Inspection, terms: InspectionTerms): Promise<inspectionV1.InspectResponse> {
  try {
    const { count, examples, repaired } = await look(terms);
    return { check, place, count, examples: [...examples], repaired, problem: '' };
  } catch (caught) {
    terms.signal.throwIfAborted();
    return { check, place, count: 0, examples: [], repaired: 0, problem: AppError.from(caught).message };
  }
}
