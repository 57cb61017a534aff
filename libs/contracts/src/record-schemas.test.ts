import { describe, expect, it } from '@jest/globals';
import { recordSchemas } from './record-schemas.js';

describe('the schemas of records', () => {
  it('name no files, which their readers do not have', () => {
    const citing = [...recordSchemas()].filter(([, schema]) => JSON.stringify(schema).includes('docs/')).map(([kind]) => kind);
    expect(citing).toEqual([]);
  });

  it('say which records never change', () => {
    const appended = [...recordSchemas()].filter(([, schema]) => JSON.stringify(schema).includes('which never changes'));
    expect(appended.map(([kind]) => kind)).toEqual(['daily_report_entry', 'daily_report_status']);
  });
});
