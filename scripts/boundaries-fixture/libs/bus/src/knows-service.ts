export { rule } from '../../../services/beta/src/domain/rule.js';
