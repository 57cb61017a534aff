export { loopbackCertificate } from './certificate.js';
export { clockVariables } from './clock/variables.js';
export { heldMemory, memoryVariables } from './memory/held-memory.js';
export { nameVariables } from './names/variables.js';
export { startNatsCluster, type MemberSetup, type NatsCluster, type NatsMember } from './nats-cluster.js';
export { openHttpGate, type GatedRequest, type GateVerdict, type HttpGate } from './http-gate.js';
export { commandLogVariables } from './mongo-commands/command-log.js';
export { ownTime } from './own-time.js';
export { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver.js';
export { judgeOutOfBounds, OUT_OF_BOUNDS } from './page-bounds.js';
export {
  buildAbsence,
  buildAbsenceApplication,
  buildAccount,
  buildContract,
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  buildTimespan,
  buildWorkday,
  buildWorkmonth,
  toNdjson,
} from './records.js';
export { startRedisCluster, type RedisCluster } from './redis-cluster.js';
export { startServiceProcess, type ServiceProcess, type ServiceProcessOptions } from './service-process.js';
export { askForErrand, askForShared, runDoesErrands } from './shared.js';
export { openTcpGate, type GateDirection, type GateInspection, type TcpGate } from './tcp-gate.js';
export { testServers, type TestServers } from './test-servers.js';
export { untilAvailable } from './until-available.js';
export { waitFor } from './wait-for.js';
export { watchSubjects, type SeenMessage, type SubjectWatch } from './watch-subjects.js';
export { startWebhookReceiver, type ReceivedRequest, type WebhookReceiver } from './webhook-receiver.js';
