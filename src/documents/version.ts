import { createHash } from 'node:crypto';
import { type JsonValue, stringify } from '../base/json.ts';
import { type Omit, canonicalText } from '../base/canonicalJson.ts';
import { documentText, parseText } from './jsonText.ts';
import type { DocumentHandler } from './kinds/kinds.ts';

/** Encoding of documents. */
const utf8 = new TextEncoder();

/** A document as it was at some time: what it says, and the bytes that say it. */
export class Version {
  readonly value: JsonValue;
  readonly bytes: Uint8Array;
  readonly #omit: Omit;
  #hash: string | undefined;

  /** @param omit what the server keeps by itself, which says nothing */
  constructor(value: JsonValue, bytes: Uint8Array, omit: Omit) {
    this.value = value;
    this.bytes = bytes;
    this.#omit = omit;
  }

  /** The document as its server says it, laid out by us; SQL is text as it is. */
  static of(value: JsonValue, omit: Omit): Version {
    const text = typeof value === 'string' ? value : documentText(value);
    return new Version(value, utf8.encode(text), omit);
  }

  /** What two versions share exactly when they say the same; computed when it is asked for. */
  get hash(): string {
    this.#hash ??= createHash('sha256').update(saidBy(this.value, this.#omit)).digest('hex');
    return this.#hash;
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }
}

/** A text as a version; `undefined` for one that cannot be read. */
export function versionOf(
  text: string,
  { language, isServers }: Pick<DocumentHandler, 'language' | 'isServers'>,
): Version | undefined {
  if (language === 'datamodel-sql') {
    return new Version(text, utf8.encode(text), isServers);
  }
  const parsed = parseText(text, { comments: language === 'jsonc' });
  return 'value' in parsed ? new Version(parsed.value, utf8.encode(text), isServers) : undefined;
}

/** Lines of SQL end as they end: the editor may write them either way. Of JSON, what the server keeps is left out. */
const saidBy = (value: JsonValue, omit: Omit): string =>
  typeof value === 'string' ? stringify(value.replaceAll('\r\n', '\n')) : canonicalText(value, omit);
