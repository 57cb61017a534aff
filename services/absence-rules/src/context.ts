import type { Bus } from '@stechuhr/bus';
import { commonV1, recordsV1 } from '@stechuhr/contracts';
import {
  ANSWERS,
  createCountedLimit,
  createFairLimiter,
  createFairShares,
  systemClock,
  type Clock,
  type FairLimiter,
  type Inspection,
} from '@stechuhr/kernel';
import { defineStores } from '@stechuhr/mongo';
import { checkReachable, connectAhead, createGrpcClient, type Logger } from '@stechuhr/service';
import { callerRecords } from './clients/records.js';
import type { Config } from './config.js';
import { KEPT_ENTITLEMENTS } from './domain/entitlement.js';
import { MAX_RULES } from './domain/rule.js';
import { ruleEvents } from './events/rule-events.js';
import type { CallerRecords, Ports } from './operations/ports.js';
import { ruleModel } from './store/rule-model.js';
import { createRuleStore } from './store/rule-store.js';

export interface Context {
  readonly ports: Ports;
  /** Limits how many pages and slices of balances are created at the same time, fairly between institutions. */
  readonly inTurn: FairLimiter;
  recordsOf(caller: commonV1.Caller, signal: AbortSignal): CallerRecords;
  /** Returns the records of an institution for events from the bus, which have no account. Calls end when the service stops. */
  recordsOfInstitution(institutionId: string): CallerRecords;
  readonly bus: Bus;
  readonly inspections: readonly Inspection[];
  readonly checks: Readonly<Record<'mongodb' | 'nats' | 'records', () => Promise<void>>>;
  close(): Promise<void>;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
const ALL = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };

const storage = defineStores({
  name: 'absence-rules',
  models: ({ connection }) => ruleModel(connection),
  outboxes: (rules) => [rules.collection],
});

/** Creates the indexes and streams that this version needs, without starting the service. */
export const { prepare } = storage;

/** The memory of pages of rules that are being created, in bytes: less than half of the heap of a process (docs/capacity.md#memory). */
const LIST_MEMORY_BYTES = 104_857_600;

/** Overrides for tests. */
export interface ContextOverrides {
  readonly clock?: Clock;
  readonly maxRules?: { readonly ofInstitution: number; readonly ofEmployee: number };
  readonly keptEntitlements?: number;
  readonly listMemoryBytes?: number;
}

export async function createContext(config: Config, logger: Logger, overrides: ContextOverrides = {}): Promise<Context> {
  const {
    clock = systemClock,
    maxRules = MAX_RULES,
    keptEntitlements = KEPT_ENTITLEMENTS,
    listMemoryBytes = LIST_MEMORY_BYTES,
  } = overrides;
  const stores = await storage.connect(config, logger);
  const records = createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress);
  connectAhead(records);
  const closing = new AbortController();
  const rules = createRuleStore(stores.models, clock);
  return {
    ports: {
      rules,
      limit: createCountedLimit({
        max: maxRules.ofInstitution,
        count: (institutionId, upTo) => rules.count({ institutionId }, upTo),
      }),
      maxOfEmployee: maxRules.ofEmployee,
      keptEntitlements,
      listMemory: createFairShares(listMemoryBytes),
      clock,
      ruleEvent: ruleEvents(clock, stores),
      notifyOutbox: (written) => stores.relay.notify(stores.models.collection.name, written === undefined ? [] : [written]),
    },
    inTurn: createFairLimiter(ANSWERS),
    recordsOf: (caller, signal) => callerRecords(records, caller, signal),
    recordsOfInstitution: (institutionId) => callerRecords(records, { institutionId, accountId: NOBODY, visibility: ALL }, closing.signal),
    bus: stores.bus,
    inspections: stores.inspections,
    checks: { ...stores.checks, records: () => checkReachable(records) },
    async close() {
      closing.abort();
      records.close();
      await stores.close();
    },
  };
}
