import { join } from 'node:path';
import { absenceRulesV1, commonV1, recordsV1 } from '@stechuhr/contracts';
import { newId, type Clock } from '@stechuhr/kernel';
import { importLines } from '@stechuhr/records-client';
import { callUnary, createGrpcClient, createLogger, readStream } from '@stechuhr/service';
import { startServiceProcess, testServers, type TestServers } from '@stechuhr/testing';
import { readConfig } from '../../src/config.js';
import type { ContextOverrides } from '../../src/context.js';
import { createAbsenceRulesService } from '../../src/service.js';

type Client = absenceRulesV1.AbsenceRulesServiceClient;
type Rule = absenceRulesV1.Rule;

const RECORDS = join(import.meta.dirname, '../../../records/dist/main.js');

/** The service running in this process with the real records service, and its calls. */
export interface RunningAbsenceRules {
  readonly servers: TestServers;
  importLines(lines: readonly object[]): Promise<void>;
  as(caller: commonV1.Caller): CallerRules;
  stop(): Promise<void>;
}

/** The calls of one caller. */
export interface CallerRules {
  list(parameters?: Record<string, string>, page?: { limit?: number; offset?: number }): Promise<absenceRulesV1.ListRulesResponse>;
  get(ruleId: string): Promise<Rule>;
  create(body: object): Promise<Rule>;
  update(ruleId: string, body: object): Promise<Rule>;
  delete(ruleId: string): Promise<void>;
  balances(query: Partial<absenceRulesV1.GetBalancesRequest>): Promise<absenceRulesV1.EmployeeBalances[]>;
  /** Yields the employees of each message. */
  balanceParts(query: Partial<absenceRulesV1.GetBalancesRequest>): AsyncIterable<absenceRulesV1.EmployeeBalances[]>;
}

export async function startAbsenceRules(clock: Clock, overrides: Omit<ContextOverrides, 'clock'> = {}): Promise<RunningAbsenceRules> {
  const servers = await testServers();
  const shared = { MONGODB_URL: servers.mongodbUrl, NATS_URL: servers.natsUrl };
  const records = await startServiceProcess({
    main: RECORDS,
    env: { ...shared, REDIS_URL: servers.redisUrl, MONGODB_DATABASE: servers.database('records') },
  });
  const environment = { ...shared, RECORDS_ADDRESS: records.address, MONGODB_DATABASE: servers.database('absence_rules') };
  const service = await createAbsenceRulesService(readConfig(environment), createLogger('absence-rules', 'fatal'), {
    clock,
    ...overrides,
  });
  const recordsClient = createGrpcClient(recordsV1.RecordsServiceClient, records.address);
  const client = createGrpcClient(absenceRulesV1.AbsenceRulesServiceClient, `127.0.0.1:${String(service.grpcPort)}`);
  return {
    servers,
    importLines: (lines) => importLines(recordsClient, lines),
    as: (caller) => callerRules(client, caller),
    async stop() {
      client.close();
      recordsClient.close();
      await service.stop();
      await records.stop();
      await servers.stop();
    },
  };
}

/** Returns a caller of an institution; a department leader if departments are given. */
export function callerOf(institutionId: string, departmentIds?: string[]): commonV1.Caller {
  const role = departmentIds === undefined ? commonV1.Role.ROLE_ADMIN : commonV1.Role.ROLE_DEPARTMENT_LEADER;
  return { institutionId, accountId: newId(), visibility: { role, departmentIds: departmentIds ?? [], projects: undefined } };
}

function callerRules(client: Client, caller: commonV1.Caller): CallerRules {
  const balanceParts = async function* (query: Partial<absenceRulesV1.GetBalancesRequest>) {
    const request = { caller, employeeIds: [], onDay: 0, missingTypes: [], withDetails: false, ...query };
    for await (const { employees } of readStream(client, client.getBalances, request)) yield employees;
  };
  return {
    list: (parameters = {}, { limit = 100, offset = 0 } = {}) => callUnary(client, client.listRules, { caller, parameters, limit, offset }),
    get: async (ruleId) => present(await callUnary(client, client.getRule, { caller, ruleId })),
    create: async (body) => present(await callUnary(client, client.createRule, { caller, json: JSON.stringify(body) })),
    update: async (ruleId, body) => present(await callUnary(client, client.updateRule, { caller, ruleId, json: JSON.stringify(body) })),
    async delete(ruleId) {
      await callUnary(client, client.deleteRule, { caller, ruleId });
    },
    balances: async (query) => (await Array.fromAsync(balanceParts(query))).flat(),
    balanceParts,
  };
}

function present({ rule }: { readonly rule: Rule | undefined }): Rule {
  if (rule === undefined) throw new Error('The answer has no rule.');
  return rule;
}
