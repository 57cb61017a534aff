export { find } from '../../services/alpha/src/store/alpha-store.js';
