import { recordsV1, reviewsV1, type commonV1 } from '@stechuhr/contracts';
import { callUnary, readStream, RUN_STALL_MS } from '@stechuhr/service';
import { formatLocalDate } from '@stechuhr/worktime';
import { grpcClient } from '../grpc-client.js';
import { hiddenBy, type Employee, type ReviewedFinding, type Suppression } from './review.js';

export interface ReviewQuery {
  readonly caller: commonV1.Caller;
  readonly year: number;
  readonly month: number;
  readonly addresses: { readonly records: string; readonly reviews: string };
}

const PAGE = 1_000;

/** Runs the review, and reads the names and suppression rules for its findings. */
export async function fetchReview({ caller, addresses, year, month }: ReviewQuery): Promise<ReviewedFinding[]> {
  const reviews = grpcClient(reviewsV1.ReviewsServiceClient, addresses.reviews);
  const records = grpcClient(recordsV1.RecordsServiceClient, addresses.records);
  try {
    const [findings, rules, staff] = await Promise.all([
      runReview(reviews, { caller, parameters: { year: String(year), month: String(month) }, judgeOnly: false }),
      listSuppressions(reviews, caller),
      listStaff(records, caller),
    ]);
    const place = new Map([...staff.keys()].map((id, index) => [id, index]));
    const placeOf = ({ employee }: ReviewedFinding) => place.get(employee.id) ?? place.size;
    const isHidden = hiddenBy(rules);
    return findings
      .map((finding) => toReviewed(finding, staff, isHidden))
      .sort((a, b) => placeOf(a) - placeOf(b) || (a.employee.id < b.employee.id ? -1 : a.employee.id > b.employee.id ? 1 : 0));
  } finally {
    reviews.close();
    records.close();
  }
}

async function runReview(client: reviewsV1.ReviewsServiceClient, request: reviewsV1.RunReviewRequest): Promise<reviewsV1.Finding[]> {
  const findings: reviewsV1.Finding[] = [];
  for await (const message of readStream(client, client.runReview, request, { stallMs: RUN_STALL_MS })) findings.push(...message.findings);
  return findings;
}

async function listSuppressions(client: reviewsV1.ReviewsServiceClient, caller: commonV1.Caller): Promise<Suppression[]> {
  const rules: Suppression[] = [];
  while (true) {
    const page = { caller, parameters: {}, limit: PAGE, offset: rules.length };
    const { suppressions } = await callUnary(client, client.listSuppressions, page, { idempotent: true });
    rules.push(...suppressions.map(toSuppression));
    if (suppressions.length < PAGE) return rules;
  }
}

/** Sorted by name. */
async function listStaff(client: recordsV1.RecordsServiceClient, caller: commonV1.Caller): Promise<ReadonlyMap<string, Employee>> {
  const staff = new Map<string, Employee>();
  for await (const { employees } of readStream(client, client.listEmployees, { caller })) {
    for (const { id, number, firstName, lastName } of employees) staff.set(id, { id, number, first_name: firstName, last_name: lastName });
  }
  return staff;
}

function toSuppression({ code, employeeId, validFrom, validTo }: reviewsV1.Suppression): Suppression {
  const to = validTo === undefined ? null : formatLocalDate(validTo);
  return { code, employeeId: employeeId ?? null, validFrom: formatLocalDate(validFrom), validTo: to };
}

function toReviewed(
  { code, group, severity, date: day, references, context, details }: reviewsV1.Finding,
  staff: ReadonlyMap<string, Employee>,
  isHidden: ReturnType<typeof hiddenBy>,
): ReviewedFinding {
  const id = references[0]?.id ?? '';
  const employee = staff.get(id) ?? { id, number: null, first_name: null, last_name: null };
  const date = day === undefined ? null : formatLocalDate(day);
  return {
    code,
    group,
    severity,
    date,
    references: references.map((reference) => [reference.type, reference.id] as const),
    context: Object.fromEntries(context.map(({ name, value }) => [name, value?.value])),
    details,
    employee,
    suppressed: isHidden({ code, date, employee }),
  };
}
