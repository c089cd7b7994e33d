import { expect, test } from 'vitest';
import { VersionedTextCache } from '../../../src/base/versionedTextCache.ts';

/** A document that counts how often it was read. */
class TestDocument {
  version = 1;
  readCount = 0;
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  type(text: string): void {
    this.#text = text;
    this.version += 1;
  }

  getText(): string {
    this.readCount += 1;
    return this.#text;
  }
}

const parseUpperCase = (text: string): { readonly text: string } => ({ text: text.toUpperCase() });

test('each version is read once for all callers, and not before it is needed', () => {
  const cache = new VersionedTextCache<{ readonly text: string }>();
  const document = new TestDocument('a');
  expect(document.readCount).toBe(0);
  const value = cache.getOrCreate(document, parseUpperCase);
  expect(cache.getOrCreate(document, parseUpperCase)).toBe(value);
  expect(document.readCount).toBe(1);
  document.type('b');
  expect(document.readCount).toBe(1);
  expect(cache.getOrCreate(document, parseUpperCase)).toEqual({ text: 'B' });
  expect(cache.getOrCreate(document, parseUpperCase)).not.toBe(value);
  expect(document.readCount).toBe(2);
});

test('a change drops results of earlier versions and keeps newer ones', () => {
  const cache = new VersionedTextCache<{ readonly text: string }>();
  const document = new TestDocument('a');
  cache.getOrCreate(document, parseUpperCase);
  document.type('b');
  const value = cache.getOrCreate(document, parseUpperCase);
  cache.evictStale(document);
  expect(cache.getOrCreate(document, parseUpperCase)).toBe(value);
  document.type('c');
  cache.evictStale(document);
  document.version -= 1;
  expect(cache.getOrCreate(document, parseUpperCase)).not.toBe(value);
});

test('a closed document is read again, even if its versions restart', () => {
  const cache = new VersionedTextCache<{ readonly text: string }>();
  const document = new TestDocument('a');
  cache.getOrCreate(document, parseUpperCase);
  cache.evict(document);
  cache.getOrCreate(document, parseUpperCase);
  expect(document.readCount).toBe(2);
  const reopened = new TestDocument('b');
  expect(cache.getOrCreate(reopened, parseUpperCase)).toEqual({ text: 'B' });
});

test('a read error is not cached for the next caller', () => {
  const cache = new VersionedTextCache<{ readonly text: string }>();
  const document = new TestDocument('a');
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => cache.getOrCreate(document, fail)).toThrow('no');
  expect(cache.getOrCreate(document, parseUpperCase)).toEqual({ text: 'A' });
});
