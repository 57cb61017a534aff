import { recordsV1 } from '@stechuhr/contracts';
import { serverStream, startGrpcServer, unary, type CallContext, type Logger } from '@stechuhr/service';

type ReadTimeRecords = (request: recordsV1.ReadTimeRecordsRequest, call: CallContext) => AsyncIterable<recordsV1.ReadTimeRecordsResponse>;

/** A real gRPC server that replaces the records service. The test decides how time records are sent. */
export interface ScriptedRecords {
  readonly address: string;
  /** The number of employees, sorted by name; their ids are `employee-<n>`. */
  employees: number;
  /** The names of the custom fields in the last request for employees. */
  customFields: readonly string[] | undefined;
  /** How often projects were read. */
  projectReads: number;
  readTimeRecords: ReadTimeRecords;
  stop(): Promise<void>;
}

export async function startScriptedRecords(logger: Logger): Promise<ScriptedRecords> {
  const { Institution, Employee } = recordsV1;
  const implementation = {
    getInstitution: unary(() => Promise.resolve({ institution: Institution.fromPartial({ id: 'institution' }) })),
    listDepartments: serverStream(async function* () {}),
    listProjects: serverStream(async function* () {
      await Promise.resolve();
      script.projectReads += 1;
      yield { projects: [] };
    }),
    listEmployees: serverStream(async function* ({ customFields }: recordsV1.ListEmployeesRequest) {
      await Promise.resolve();
      script.customFields = customFields?.names;
      const employees = Array.from({ length: script.employees }, (_, n) =>
        Employee.fromPartial({ id: `employee-${n}`, lastName: `Nr${n}` }),
      );
      yield { employees };
    }),
    readTimeRecords: serverStream((request: recordsV1.ReadTimeRecordsRequest, call) => script.readTimeRecords(request, call)),
  };
  const server = await startGrpcServer({
    bind: '127.0.0.1:0',
    services: [{ definition: recordsV1.RecordsServiceService, implementation }],
    logger,
  });
  const script: ScriptedRecords = {
    address: `127.0.0.1:${server.port}`,
    employees: 1,
    customFields: undefined,
    projectReads: 0,
    async *readTimeRecords() {},
    stop: () => server.stop(),
  };
  return script;
}

const DAY_SECONDS = 86_400;

/** An employee who worked from 09:00 to 17:00 (local time) on each of the first `days` days of 2026. */
export function worker(n: number, days: number): recordsV1.EmployeeRecords {
  const firstDay = Date.UTC(2026, 0, 1) / 1000;
  const workdays = Array.from({ length: days }, (_, day) => {
    const startedAt = firstDay + day * DAY_SECONDS + 8 * 3600;
    return { id: `workday-${n}-${day}`, date: firstDay / DAY_SECONDS + day, startedAt, endedAt: startedAt + 8 * 3600 };
  });
  return recordsV1.EmployeeRecords.fromPartial({ employeeId: `employee-${n}`, workmonths: [{ workdays }] });
}
