import { describe, expect, it } from '@jest/globals';
import { isUploadKey, keptKeyOf, photoExtensions, photoKey, photoTypeOf, thumbKeyOf, type PhotoType } from './upload-keys.js';

const ours = { institutionId: '11111111-1111-4111-8111-111111111111', accountId: '22222222-2222-4222-8222-222222222222' };
const PREFIX = `uploads/${ours.institutionId}/${ours.accountId}/`;
const ID = '33333333-3333-4333-8333-333333333333';

describe('a key of a photo', () => {
  it.each(Object.entries(photoExtensions))('of %s ends in .%s and is in its namespace', (type, extension) => {
    const key = photoKey(ours, ID, type as PhotoType);
    expect(key).toBe(`${PREFIX}${ID}.${extension}`);
    expect(thumbKeyOf(key)).toBe(`${PREFIX}${ID}.thumb.${extension}`);
    for (const each of [key, thumbKeyOf(key)]) expect([isUploadKey(each, ours), photoTypeOf(each)]).toEqual([true, type]);
  });

  it('has no media type if its extension is unknown', () => {
    for (const key of ['a.html', 'a.svg', 'a', 'a.JPG', 'a.jpg.exe', '']) expect([key, photoTypeOf(key)]).toEqual([key, undefined]);
  });
});

it('keeps objects outside of all namespaces', () => {
  const kept = keptKeyOf(`${PREFIX}a.jpg`);
  expect(kept.endsWith(`${PREFIX}a.jpg`)).toBe(true);
  expect(isUploadKey(kept, ours)).toBe(false);
});

describe('a namespace', () => {
  it.each([`${PREFIX}a.jpg`, `${PREFIX}2026/11/a_b-c.jpg`, `${PREFIX}a`])('holds %s', (key) => {
    expect(isUploadKey(key, ours)).toBe(true);
  });

  it.each([
    ['', 'nothing'],
    [PREFIX, 'itself'],
    [PREFIX.slice(0, -1), 'itself without slash'],
    [`/${PREFIX}a.jpg`, 'an absolute key'],
    [`./${PREFIX}a.jpg`, 'a relative key'],
    [`x/${PREFIX}a.jpg`, 'a prefix before it'],
    [`uploads/${ours.institutionId}/${ID}/a.jpg`, 'another account'],
    [`uploads/${ID}/${ours.accountId}/a.jpg`, 'another institution'],
    [`exports/${ours.institutionId}/${ours.accountId}/a.jpg`, 'another folder'],
    [`${PREFIX.slice(0, -1)}x/a.jpg`, 'an account whose id begins alike'],
    [`${PREFIX}../${ID}/a.jpg`, 'a step up'],
    [`${PREFIX}a/../../b.jpg`, 'two steps up further on'],
    [`${PREFIX}a/..`, 'a parent directory at the end'],
    [`${PREFIX}./a.jpg`, 'a dot'],
    [`${PREFIX}/a.jpg`, 'an empty segment'],
    [`${PREFIX}a//b.jpg`, 'an empty segment in the middle'],
    [`${PREFIX}a.jpg/`, 'an empty segment at the end'],
    [`${PREFIX}%2e%2e/a.jpg`, 'an encoded parent directory'],
    [`${PREFIX}..%2fa.jpg`, 'an encoded slash'],
    [`${PREFIX}..\\a.jpg`, 'a backslash'],
    [`${PREFIX}a..jpg`, 'two dots'],
    [`${PREFIX}.hidden`, 'a leading dot'],
    [`${PREFIX}a\0.jpg`, 'a NUL'],
    [`${PREFIX}a.jpg\n`, 'a line break'],
    [`${PREFIX}\u2025/a.jpg`, 'a character that normalises to two dots'],
    [`${PREFIX}a b.jpg`, 'a blank'],
    [`${PREFIX}a.jpg?x=1`, 'a query'],
    [PREFIX.toUpperCase() + 'a.jpg', 'upper case'],
    [`${PREFIX}${'a'.repeat(1_024)}`, 'longer than a key may be'],
  ])('does not contain %j: %s', (key) => {
    expect(isUploadKey(key, ours)).toBe(false);
  });
});
