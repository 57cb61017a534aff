export { tested } from './rule.test.js';
