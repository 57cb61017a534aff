import { startS3 } from '@stechuhr/local-infra';
import type { Case } from '../../harness/types.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

export const upload: Case = {
  name: 'upload',
  goals: ['G22'],
  title: 'a stream of unknown length into S3 (size in MiB), libs/objectstore compared with its client used directly',
  sizes: { quick: 24, full: 200 },
  variants: {
    'known-length': variant('known-length'),
    ours: variant('ours'),
    'minio-default': variant('minio-default'),
    'temporary-file': variant('temporary-file'),
  },
  equal: [['known-length', 'ours', 'minio-default', 'temporary-file']],
  ratios: [
    { goal: 'G22', measure: 'rssMb', of: 'ours', to: 'minio-default', target: 0.55, stretch: 0.45 },
    { goal: 'G22', measure: 'wallMs', of: 'ours', to: 'minio-default', target: 1.5, note: 'saving memory must not cost much time' },
  ],
  async prepare() {
    const lines: string[] = [];
    const server = await startS3({ log: (line) => void lines.push(line) });
    const { endpoint, accessKey, secretKey, bucket } = server.address;
    const which = lines.find((line) => line.startsWith('S3:'))?.replace(/, ready in .*/, '') ?? 'S3 of the environment';
    return { values: { endpoint, accessKey, secretKey, bucket }, notes: [which], close: () => server.stop() };
  },
};
