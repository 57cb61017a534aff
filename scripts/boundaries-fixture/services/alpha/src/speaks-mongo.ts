export { default } from 'mongoose';
