import { expect, test } from 'vitest';
import { VersionedTextCache } from '../../../src/base/versionedTextCache.ts';

/** A document that counts how often it was read. */
class Document {
  version = 1;
  reads = 0;
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  type(text: string): void {
    this.#text = text;
    this.version += 1;
  }

  getText(): string {
    this.reads += 1;
    return this.#text;
  }
}

const upper = (text: string): { readonly text: string } => ({ text: text.toUpperCase() });

test('each version is read once for all callers, and not before it is needed', () => {
  const known = new VersionedTextCache<{ readonly text: string }>();
  const document = new Document('a');
  expect(document.reads).toBe(0);
  const made = known.getOrCreate(document, upper);
  expect(known.getOrCreate(document, upper)).toBe(made);
  expect(document.reads).toBe(1);
  document.type('b');
  expect(document.reads).toBe(1);
  expect(known.getOrCreate(document, upper)).toEqual({ text: 'B' });
  expect(known.getOrCreate(document, upper)).not.toBe(made);
  expect(document.reads).toBe(2);
});

test('a change drops results of earlier versions and keeps newer ones', () => {
  const known = new VersionedTextCache<{ readonly text: string }>();
  const document = new Document('a');
  known.getOrCreate(document, upper);
  document.type('b');
  const made = known.getOrCreate(document, upper);
  known.evictStale(document);
  expect(known.getOrCreate(document, upper)).toBe(made);
  document.type('c');
  known.evictStale(document);
  document.version -= 1;
  expect(known.getOrCreate(document, upper)).not.toBe(made);
});

test('a closed document is read again, even if its versions restart', () => {
  const known = new VersionedTextCache<{ readonly text: string }>();
  const document = new Document('a');
  known.getOrCreate(document, upper);
  known.evict(document);
  known.getOrCreate(document, upper);
  expect(document.reads).toBe(2);
  const again = new Document('b');
  expect(known.getOrCreate(again, upper)).toEqual({ text: 'B' });
});

test('a read error is not cached for the next caller', () => {
  const known = new VersionedTextCache<{ readonly text: string }>();
  const document = new Document('a');
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => known.getOrCreate(document, fail)).toThrow('no');
  expect(known.getOrCreate(document, upper)).toEqual({ text: 'A' });
});
