import { webhooksV1, type commonV1 } from '@stechuhr/contracts';
import { AppError, parseUuid } from '@stechuhr/kernel';
import { callUnary } from '@stechuhr/service';
import { formatLocalDateTime } from '@stechuhr/worktime';
import { callerOfToken } from '../caller-of-token.js';
import { explainUnavailable } from '../explain-unavailable.js';
import { Failure } from '../failure.js';
import { grpcClient } from '../grpc-client.js';
import type { Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { readSince } from '../since.js';
import { printable } from '../printable.js';
import { table } from '../table.js';
import { givenToken, type TokenOptions } from '../token-options.js';
import { replayPages } from './replay-pages.js';
import { shownDelivery, shownWebhook } from './webhook-json.js';

/** The options of `webhooks create` and `update` as typed by the user. */
export interface FieldOptions extends TokenOptions {
  readonly url?: string;
  readonly types?: string;
  readonly description?: string;
  readonly disable?: true;
  readonly enable?: true;
  readonly rotateSecret?: true;
}

export interface DeliveriesOptions extends TokenOptions {
  readonly states?: string;
  readonly limit: string;
}

export interface ReplayOptions extends TokenOptions {
  readonly since?: string;
  readonly states: string;
  readonly after?: string;
}

type Client = webhooksV1.WebhooksServiceClient;
type Shown = ReturnType<typeof shownWebhook>;
type ShownDelivery = ReturnType<typeof shownDelivery>;

/** The options that fields of the body come from, unless it is an option of the same name. */
const OPTIONS: Readonly<Record<string, string>> = { event_types: '--types' };

/** An institution has ten webhooks at most, so one page is enough. */
const PAGE = 1_000;

export function runList(options: TokenOptions, output: Output): Promise<number> {
  return withWebhooks(options, output, async (client, caller) => {
    const { webhooks } = await callUnary(client, client.listWebhooks, { caller, limit: PAGE, offset: 0 }, { idempotent: true });
    const shown = webhooks.map(shownWebhook);
    output.result(shown, () => (shown.length === 0 ? 'No webhooks.' : table(['id', 'url', 'state', 'events'], shown.map(rowOf))));
  });
}

export function runCreate(options: FieldOptions, output: Output): Promise<number> {
  const json = JSON.stringify(fieldsOf(options));
  const create: Run = async (client, caller) => showSecret(await callUnary(client, client.createWebhook, { caller, json }), output);
  // Here, it is an argument.
  return withWebhooks(options, output, create, { ...OPTIONS, url: 'url' });
}

export function runUpdate(id: string, options: FieldOptions, output: Output): Promise<number> {
  const webhookId = idOf(id);
  const fields = fieldsOf(options);
  const isRotation = options.rotateSecret === true;
  if (Object.keys(fields).length === 0 && !isRotation) throw new Failure('There is nothing to change (add --help for usage).', 2);
  const json = JSON.stringify(fields);
  return withWebhooks(options, output, async (client, caller) => {
    const { webhook } = await callUnary(client, client.updateWebhook, { caller, webhookId, json });
    if (isRotation) return showSecret(await callUnary(client, client.rotateSecret, { caller, webhookId }), output);
    const shown = shownWebhook(present(webhook));
    output.result(shown, () => describe(shown));
  });
}

export function runDelete(id: string, options: TokenOptions, output: Output): Promise<number> {
  const webhookId = idOf(id);
  return withWebhooks(options, output, async (client, caller) => {
    await callUnary(client, client.deleteWebhook, { caller, webhookId });
    output.result({ id: webhookId, deleted: true }, () => `Webhook ${webhookId} is deleted.`);
  });
}

export function runDeliveries(id: string, options: DeliveriesOptions, output: Output): Promise<number> {
  const webhookId = idOf(id);
  const limit = /^\d{1,4}$/u.test(options.limit) ? Number(options.limit) : 0;
  if (limit < 1 || limit > PAGE) throw new Failure(`--limit: It must be from 1 to ${String(PAGE)}.`, 2);
  const parameters: Record<string, string> = options.states === undefined ? {} : { states: options.states.replaceAll(',', '|') };
  return withWebhooks(options, output, async (client, caller) => {
    const message = { caller, webhookId, parameters, limit, offset: 0 };
    const { deliveries } = await callUnary(client, client.listDeliveries, message, { idempotent: true });
    const shown = deliveries.map(shownDelivery);
    output.result(shown, () => (shown.length === 0 ? 'No deliveries.' : table(DELIVERY, shown.map(deliveryRow))));
  });
}

export function runReplay(id: string, delivery: string | undefined, options: ReplayOptions, output: Output): Promise<number> {
  const webhookId = idOf(id);
  if ((delivery === undefined) === (options.since === undefined)) throw new Failure('Give a delivery, or --since.', 2);
  const deliveryId = delivery === undefined ? '' : idOf(delivery);
  const since = options.since === undefined ? undefined : readSince(options.since);
  if (since === undefined && options.after !== undefined) throw new Failure('Give --after only with --since.', 2);
  const first = options.after === undefined ? null : idOf(options.after);
  return withWebhooks(options, output, async (client, caller) => {
    if (since === undefined) return showDelivery(await callUnary(client, client.replayDelivery, { caller, webhookId, deliveryId }), output);
    const second = Math.floor(since.getTime() / 1000);
    const body = { since: formatLocalDateTime(second), states: options.states.split(',') };
    // The local time of the body would mean the first of two instants in October.
    const replay = (after: string | null) =>
      callUnary(client, client.replayDeliveries, { caller, webhookId, json: JSON.stringify({ ...body, after }), since: second });
    const replayed = await replayPages(replay, first, output);
    output.result({ replayed }, () => `${String(replayed)} events are sent again.`);
  });
}

export function runTest(id: string, options: TokenOptions, output: Output): Promise<number> {
  const webhookId = idOf(id);
  return withWebhooks(options, output, async (client, caller) => {
    showDelivery(await callUnary(client, client.testWebhook, { caller, webhookId }), output);
  });
}

type Run = (client: Client, caller: commonV1.Caller) => Promise<void>;

async function withWebhooks(options: TokenOptions, output: Output, run: Run, names = OPTIONS): Promise<number> {
  const token = givenToken(options, output);
  const platform = findPlatform();
  const address = platform.grpcAddress('webhooks');
  const caller = await callerOfToken(platform, token);
  const client = grpcClient(webhooksV1.WebhooksServiceClient, address);
  try {
    await run(client, caller);
    return 0;
  } catch (caught) {
    throw explained(caught, address, names);
  } finally {
    client.close();
  }
}

function explained(caught: unknown, address: string, names: typeof OPTIONS): unknown {
  if (!(caught instanceof AppError)) return caught;
  switch (caught.code) {
    case 'unavailable':
      return explainUnavailable(caught, { webhooks: address });
    case 'not_found':
      return new Failure('There is no such webhook or delivery.', 1, caught);
    case 'forbidden':
      return new Failure('Only administrators can manage webhooks, and this token does not belong to one.', 1, caught);
    case 'invalid':
      return Failure.fromPlatform(caught, { optionOf: (field) => names[field] ?? `--${field}` });
    default:
      return caught;
  }
}

function fieldsOf({ url, types, description, disable, enable }: FieldOptions): object {
  if (disable === true && enable === true) throw new Failure('Give --enable or --disable, not both.', 2);
  return {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { event_types: types === 'all' ? null : types.split(',') }),
    ...(description !== undefined && { description }),
    ...(disable === true && { enabled: false }),
    ...(enable === true && { enabled: true }),
  };
}

function idOf(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw new Failure(`"${text}" is not an id.`, 2);
  return id;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Failure('The answer is incomplete.', 1);
  return value;
}

/** Prints only the secret on stdout, so that a shell can assign it to a variable. */
function showSecret({ webhook, secret }: webhooksV1.CreateWebhookResponse, output: Output): void {
  const { id, ...fields } = shownWebhook(present(webhook));
  output.note(`Webhook ${id} sends to ${fields.url}. Its secret is shown only this once:`);
  output.result({ id, secret, ...fields }, () => secret);
}

function showDelivery({ delivery }: { readonly delivery?: webhooksV1.Delivery | undefined }, output: Output): void {
  const shown = shownDelivery(present(delivery));
  output.result(shown, () => `${shown.event_type} ${shown.id} is sent.`);
}

const DELIVERY = ['id', 'event', 'state', 'attempts', 'created', 'answer', 'next'];

function deliveryRow(shown: ShownDelivery): readonly string[] {
  const answer = shown.last_problem === null || shown.last_response_status !== null ? shown.last_response_status : shown.last_problem;
  const { id, event_type, state, attempts, created_at, next_attempt_at } = shown;
  return [id, event_type, state, String(attempts), created_at, String(answer ?? '–'), next_attempt_at ?? '–'];
}

function rowOf({ id, url, enabled, disabled_reason, failing_since, event_types }: Shown): readonly string[] {
  const state = enabled ? (failing_since === null ? 'enabled' : `failing since ${failing_since}`) : `disabled (${disabled_reason ?? '?'})`;
  return [id, url, state, event_types?.join(',') ?? 'all'];
}

function describe(shown: Shown): string {
  return Object.entries(shown)
    .map(([name, value]) => `${`${name}:`.padEnd(23)}${printable(Array.isArray(value) ? value.join(',') : String(value ?? '–'))}`)
    .join('\n');
}
