export { connect } from 'node:net';
