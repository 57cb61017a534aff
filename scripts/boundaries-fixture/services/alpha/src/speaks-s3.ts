export { Client } from 'minio';
