import { createHash } from 'node:crypto';
import { type JsonValue, stringify } from '../base/json.ts';
import { type OmitPredicate, toCanonicalText } from '../base/canonicalJson.ts';
import { formatDocument, parseJsonText } from './jsonText.ts';
import type { DocumentHandler } from './kinds/kinds.ts';

/** The encoding of documents. */
const utf8 = new TextEncoder();

/** A version of a document: its content, and its bytes. */
export class Version {
  readonly value: JsonValue;
  readonly bytes: Uint8Array;
  readonly #omit: OmitPredicate;
  #hash: string | undefined;

  /** @param omit returns whether the server manages a field, which is not content */
  constructor(value: JsonValue, bytes: Uint8Array, omit: OmitPredicate) {
    this.value = value;
    this.bytes = bytes;
    this.#omit = omit;
  }

  /** Creates the version of a server's document, formatted by us; SQL is text as it is. */
  static create(value: JsonValue, omit: OmitPredicate): Version {
    const text = typeof value === 'string' ? value : formatDocument(value);
    return new Version(value, utf8.encode(text), omit);
  }

  /** Equal for two versions exactly if their content is the same; computed on demand. */
  get hash(): string {
    this.#hash ??= createHash('sha256').update(toCanonicalContent(this.value, this.#omit)).digest('hex');
    return this.#hash;
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }
}

/** Reads a text as a version; `undefined` if it can't be parsed. */
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

/**
 * Line ends of SQL are normalized: the editor may write them either way. In JSON, fields that the server manages are
 * left out.
 */
const toCanonicalContent = (value: JsonValue, omit: OmitPredicate): string =>
  typeof value === 'string' ? stringify(value.replaceAll('\r\n', '\n')) : toCanonicalText(value, omit);
