export { find } from '../store/alpha-store.js';
