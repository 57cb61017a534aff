import { judgeBody, judgePartialBody, readJson, webhookBody, type JudgedBody } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { z } from 'zod';
import { problemOfUrl } from '../domain/target-url.js';
import type { WebhookFields } from '../domain/webhook.js';
import type { Ports } from './ports.js';

type Body = z.output<typeof webhookBody>;
type Judging = Pick<Ports, 'allowedHosts'>;

/** Validates the body of a new webhook and returns its fields. @throws AppError `invalid` with all problems */
export function judgeWebhook(ports: Judging, json: string): WebhookFields {
  const { url = '', description = null, eventTypes = null, enabled = true } = judged(ports, judgeBody(webhookBody, readJson(json)));
  return { url, description, eventTypes, enabled };
}

/** Validates the body of a change and returns the fields that it contains. @throws AppError `invalid` with all problems */
export function judgeChange(ports: Judging, json: string): Partial<WebhookFields> {
  return judged(ports, judgePartialBody(webhookBody, readJson(json)));
}

function judged({ allowedHosts }: Judging, { values, errors }: JudgedBody<Body>): Partial<WebhookFields> {
  const problem = values.url === undefined ? undefined : problemOfUrl(values.url, allowedHosts);
  const problems = { ...errors, ...(problem !== undefined && { url: [problem] }) };
  if (Object.keys(problems).length > 0) throw AppError.invalid(problems);
  const { event_types: types, ...fields } = values;
  return { ...fields, ...(types !== undefined && { eventTypes: types === null ? null : [...new Set(types)] }) };
}
