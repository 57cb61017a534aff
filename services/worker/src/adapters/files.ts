import type { ObjectStore } from '@stechuhr/objectstore';
import type { Files } from '../operations/ports.js';

export function filesIn(store: ObjectStore): Files {
  return {
    check: () => store.ensureBucket(),
    put: (key, chunks, contentType) => store.putStream(key, chunks, contentType),
    remove: (key) => store.remove(key),
  };
}
