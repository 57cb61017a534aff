export { ask } from '../clients/peer.js';
