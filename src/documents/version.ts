import { createHash } from 'node:crypto';
import { type JsonValue, stringify } from '../base/json.ts';
import { type OmitPredicate, toCanonicalText } from '../base/canonicalJson.ts';
import { formatDocument, parseJsonText } from './jsonText.ts';
import type { DocumentHandler } from './kinds/kinds.ts';

/** Encoding of documents. */
const utf8 = new TextEncoder();

/** A document as it was at some time: what it says, and the bytes that say it. */
export class Version {
  readonly value: JsonValue;
  readonly bytes: Uint8Array;
  readonly #omit: OmitPredicate;
  #hash: string | undefined;

  /** @param omit what the server keeps by itself, which says nothing */
  constructor(value: JsonValue, bytes: Uint8Array, omit: OmitPredicate) {
    this.value = value;
    this.bytes = bytes;
    this.#omit = omit;
  }

  /** The document as its server says it, laid out by us; SQL is text as it is. */
  static create(value: JsonValue, omit: OmitPredicate): Version {
    const text = typeof value === 'string' ? value : formatDocument(value);
    return new Version(value, utf8.encode(text), omit);
  }

  /** What two versions share exactly when they say the same; computed when it is asked for. */
  get hash(): string {
    this.#hash ??= createHash('sha256').update(toCanonicalContent(this.value, this.#omit)).digest('hex');
    return this.#hash;
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }
}

/** A text as a version; `undefined` for one that cannot be read. */
export function readVersion(
  text: string,
  { language, isServerManaged }: Pick<DocumentHandler, 'language' | 'isServerManaged'>,
): Version | undefined {
  if (language === 'datamodel-sql') {
    return new Version(text, utf8.encode(text), isServerManaged);
  }
  const parsed = parseJsonText(text, { comments: language === 'jsonc' });
  return 'value' in parsed ? new Version(parsed.value, utf8.encode(text), isServerManaged) : undefined;
}

/** Lines of SQL end as they end: the editor may write them either way. Of JSON, what the server keeps is left out. */
const toCanonicalContent = (value: JsonValue, omit: OmitPredicate): string =>
  typeof value === 'string' ? stringify(value.replaceAll('\r\n', '\n')) : toCanonicalText(value, omit);
