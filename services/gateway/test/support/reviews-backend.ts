import { reviewsV1 } from '@stechuhr/contracts';
import { AppError, newId, type Logger } from '@stechuhr/kernel';
import { serverStream, startGrpcServer, unary } from '@stechuhr/service';

type Suppression = reviewsV1.Suppression;
type Run = (request: reviewsV1.RunReviewRequest) => AsyncIterable<reviewsV1.RunReviewResponse>;

/** A real gRPC server that replaces the reviews service: it accepts any body and records its requests. */
export interface ReviewsBackend {
  readonly address: string;
  readonly suppressions: Map<string, Suppression>;
  /** The last request of `ListSuppressions`. The response has all rules and a count of 250. */
  asked: reviewsV1.ListSuppressionsRequest | undefined;
  /** The bodies that were received. */
  readonly bodies: string[];
  runReview: Run;
  stop(): Promise<void>;
}

export async function startReviewsBackend(logger: Logger): Promise<ReviewsBackend> {
  const suppressions = new Map<string, Suppression>();
  const bodies: string[] = [];
  const find = (id: string): Suppression => {
    const suppression = suppressions.get(id);
    if (suppression === undefined) throw new AppError('not_found', 'Not found.');
    return suppression;
  };
  const hours = { name: 'hours', value: { $case: 'number' as const, value: 48.5 } };
  const check = { value: 'delayed-employee-edit', group: 'anomalies', title: 'Spät', description: 'Zu spät (§ 17).', config: [hours] };
  const implementation = {
    runReview: serverStream((request: reviewsV1.RunReviewRequest) => backend.runReview(request)),
    listChecks: unary(() => Promise.resolve({ checks: [check, { ...check, config: [] }] })),
    listGroups: unary(() => Promise.resolve({ groups: [{ value: 'anomalies', title: 'Auffälligkeiten', description: 'Ungewöhnlich.' }] })),
    listSuppressions: unary((request: reviewsV1.ListSuppressionsRequest) => {
      backend.asked = request;
      return Promise.resolve({ count: 250, suppressions: [...suppressions.values()] });
    }),
    getSuppression: unary(async ({ suppressionId }: reviewsV1.GetSuppressionRequest) => ({ suppression: find(suppressionId) })),
    createSuppression: unary(async ({ json }: reviewsV1.CreateSuppressionRequest) => {
      bodies.push(json);
      const [known] = suppressions.values();
      const suppression = known ?? suppressionOf(newId());
      suppressions.set(suppression.id, suppression);
      return { suppression, created: known === undefined };
    }),
    updateSuppression: unary(async ({ suppressionId, json }: reviewsV1.UpdateSuppressionRequest) => {
      bodies.push(json);
      return { suppression: find(suppressionId) };
    }),
    deleteSuppression: unary(async ({ suppressionId }: reviewsV1.DeleteSuppressionRequest) => {
      suppressions.delete(find(suppressionId).id);
      return {};
    }),
  };
  const services = [{ definition: reviewsV1.ReviewsServiceService, implementation }];
  const server = await startGrpcServer({ bind: '127.0.0.1:0', services, logger });
  const backend: ReviewsBackend = {
    address: `127.0.0.1:${String(server.port)}`,
    suppressions,
    asked: undefined,
    bodies,
    runReview: () => findingsOf([]),
    stop: () => server.stop(),
  };
  return backend;
}

/** Yields a review of May 2026, one message for each list of findings. */
export async function* findingsOf(
  ...messages: readonly (readonly Partial<reviewsV1.Finding>[])[]
): AsyncGenerator<reviewsV1.RunReviewResponse, void, undefined> {
  for (const findings of messages) {
    yield reviewsV1.RunReviewResponse.fromPartial({ year: 2026, month: 5, findings: [...findings] });
  }
}

/** A permanent rule for insufficient breaks of all employees from 2026-05-01 on. */
function suppressionOf(id: string): Suppression {
  return {
    id,
    code: 'insufficient-break',
    employeeId: undefined,
    validFrom: 20_574,
    validTo: undefined,
    createdAt: 1_781_517_600,
    modifiedAt: 1_781_521_200,
  };
}
