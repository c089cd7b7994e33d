import { createHash } from 'node:crypto';
import { type JsonValue, stringify } from '../base/json.ts';
import { type OmitPredicate, toCanonicalText } from '../base/canonicalJson.ts';
import { formatDocument, parseJsonText } from './jsonText.ts';
import type { DocumentHandler } from './kinds/documentHandler.ts';

/** Encodes documents. */
const utf8 = new TextEncoder();

/** A version of a document: its content, and its bytes. */
export class Version {
  readonly value: JsonValue;
  readonly bytes: Uint8Array;
  readonly #isServerManaged: OmitPredicate;
  #hash: string | undefined;

  /** @param isServerManaged returns whether the server manages a field, which is not content */
  constructor(value: JsonValue, bytes: Uint8Array, isServerManaged: OmitPredicate) {
    this.value = value;
    this.bytes = bytes;
    this.#isServerManaged = isServerManaged;
  }

  /** Creates the version of a server's document. JSON is formatted, SQL is kept unchanged. */
  static create(value: JsonValue, isServerManaged: OmitPredicate): Version {
    const text = typeof value === 'string' ? value : formatDocument(value);
    return new Version(value, utf8.encode(text), isServerManaged);
  }

  /** A hash of the content, without formatting and fields that the server manages; computed on demand. */
  get hash(): string {
    this.#hash ??= createHash('sha256')
      .update(toCanonicalContent(this.value, this.#isServerManaged))
      .digest('hex');
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
  const parsed = parseJsonText(text, { allowsComments: language === 'jsonc' });
  return 'value' in parsed ? new Version(parsed.value, utf8.encode(text), isServerManaged) : undefined;
}

/**
 * Normalizes the line endings of SQL, since the editor may write either kind. In JSON, fields that the server manages
 * are left out.
 */
const toCanonicalContent = (value: JsonValue, isServerManaged: OmitPredicate): string =>
  typeof value === 'string'
    ? stringify(value.replaceAll('\r\n', '\n'))
    : toCanonicalText(value, isServerManaged);
