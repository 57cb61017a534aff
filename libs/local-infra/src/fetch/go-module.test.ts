import { describe, expect, it } from '@jest/globals';
import { folderOfModule } from './go-module.js';

describe('folderOfModule', () => {
  const printed = JSON.stringify({ Path: 'example.org/m', Version: 'v1.0.0', Dir: '/go/m@v1.0.0', Sum: 'h1:abc=' });

  it('is the folder of the module that was meant', () => {
    expect(folderOfModule(printed, 'h1:abc=')).toBe('/go/m@v1.0.0');
    expect(folderOfModule(printed, undefined)).toBe('/go/m@v1.0.0');
  });

  it('is none of a module that was exchanged', () => {
    expect(() => folderOfModule(printed, 'h1:abd=')).toThrow('example.org/m v1.0.0 has the checksum h1:abc=, expected h1:abd=: not used');
  });
});
