import { absenceRulesV1 } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { startAdminServer, startGrpcServer, type Logger, type RunningService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type Context } from './context.js';
import { employeeDeletedConsumer } from './events/on-employee-deleted.js';
import { createRuleRpc } from './grpc/create-rule.js';
import { deleteRuleRpc } from './grpc/delete-rule.js';
import { getBalancesRpc } from './grpc/get-balances.js';
import { getRuleRpc } from './grpc/get-rule.js';
import { listRulesRpc } from './grpc/list-rules.js';
import { updateRuleRpc } from './grpc/update-rule.js';

export interface AbsenceRulesService extends RunningService {
  readonly grpcPort: number;
  readonly adminPort: number;
}

interface Overrides {
  readonly clock?: Clock;
}

function implementationOf(context: Context): absenceRulesV1.AbsenceRulesServiceServer {
  return {
    listRules: listRulesRpc(context),
    getRule: getRuleRpc(context),
    createRule: createRuleRpc(context),
    updateRule: updateRuleRpc(context),
    deleteRule: deleteRuleRpc(context),
    getBalances: getBalancesRpc(context),
  };
}

export async function createAbsenceRulesService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<AbsenceRulesService> {
  const context = await createContext(config, logger, overrides.clock);
  const services = [{ definition: absenceRulesV1.AbsenceRulesServiceService, implementation: { ...implementationOf(context) } }];
  const grpc = await startGrpcServer({ bind: config.grpcBind, services, logger });
  const admin = await startAdminServer({ port: config.adminPort, checks: context.checks, logger });
  const employeeDeleted = context.bus.consume(employeeDeletedConsumer(context.ports));
  grpc.setServing(true);
  admin.setReady(true);
  logger.info({ grpc: `${hostOf(config.grpcBind)}:${String(grpc.port)}`, admin: `127.0.0.1:${String(admin.port)}` }, 'ready');
  return {
    grpcPort: grpc.port,
    adminPort: admin.port,
    async stop() {
      admin.setReady(false);
      await grpc.stop();
      await employeeDeleted.stop();
      await context.close();
      await admin.stop();
    },
  };
}

function hostOf(bind: string): string {
  return bind.slice(0, bind.lastIndexOf(':'));
}
