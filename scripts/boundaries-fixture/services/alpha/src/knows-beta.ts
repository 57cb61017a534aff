export { rule } from '../../beta/src/domain/rule.js';
