export { connect } from '@nats-io/transport-node';
