import { lowerBound } from '../../base/lowerBound.ts';

const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * The position after an escape. From here to the next escape, offsets in the value and in the document differ by a
 * constant.
 */
interface OffsetBreak {
  readonly valueOffset: number;
  readonly documentOffset: number;
}

const noOffsetBreak: OffsetBreak = { valueOffset: 0, documentOffset: 0 };

/**
 * The value of a JSON string literal, with a mapping between offsets in the value and in the document. The literal may
 * be incomplete: if unclosed, it ends at the end of its line, and an invalid escape is kept as plain text.
 */
export class JsonString {
  readonly text: string;
  /** The start and end of the string in the document, without the quotes. */
  readonly start: number;
  readonly end: number;
  readonly #offsetBreaks: readonly OffsetBreak[];

  /** @param quoteOffset offset of the opening quote in the document */
  constructor(document: string, quoteOffset: number) {
    this.start = quoteOffset + 1;
    const offsetBreaks: OffsetBreak[] = [{ valueOffset: 0, documentOffset: this.start }];
    let text = '';
    let plainStart = this.start;
    let offset = this.start;
    while (offset < document.length && !isStringEnd(document.charCodeAt(offset))) {
      const escape = document[offset] === '\\' ? readEscape(document, offset) : undefined;
      if (escape === undefined) {
        offset += 1;
      } else {
        text += document.slice(plainStart, offset) + escape.value;
        offset += escape.length;
        plainStart = offset;
        offsetBreaks.push({ valueOffset: text.length, documentOffset: offset });
      }
    }
    this.text = text + document.slice(plainStart, offset);
    this.end = offset;
    this.#offsetBreaks = offsetBreaks;
  }

  /** Converts an offset in the value to an offset in the document. */
  toDocumentOffset(valueOffset: number): number {
    const clampedOffset = Math.min(Math.max(0, valueOffset), this.text.length);
    const offsetBreak =
      this.#offsetBreaks[this.#findLastBreakIndex('valueOffset', clampedOffset)] ?? noOffsetBreak;
    return offsetBreak.documentOffset + (clampedOffset - offsetBreak.valueOffset);
  }

  /**
   * Converts an offset in the document to an offset in the value. Offsets inside an escape are mapped to the escaped
   * character.
   */
  toValueOffset(documentOffset: number): number {
    const clampedOffset = Math.min(Math.max(this.start, documentOffset), this.end);
    const breakIndex = this.#findLastBreakIndex('documentOffset', clampedOffset);
    const offsetBreak = this.#offsetBreaks[breakIndex] ?? noOffsetBreak;
    const nextBreak = this.#offsetBreaks[breakIndex + 1];
    const valueOffset = offsetBreak.valueOffset + (clampedOffset - offsetBreak.documentOffset);
    return nextBreak === undefined ? valueOffset : Math.min(valueOffset, nextBreak.valueOffset - 1);
  }

  #findLastBreakIndex(offsetKind: keyof OffsetBreak, offset: number): number {
    const breaks = this.#offsetBreaks;
    return Math.max(
      0,
      lowerBound(breaks.length, (index) => (breaks[index]?.[offsetKind] ?? 0) <= offset) - 1,
    );
  }
}

/** Escapes a text for use in a JSON string; the result has no quotes around it. */
export const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** True for a quote or a line break, which end a JSON string. */
const isStringEnd = (code: number): boolean => code === 0x22 || code === 0x0a || code === 0x0d;

function readEscape(
  document: string,
  offset: number,
): { readonly value: string; readonly length: number } | undefined {
  const escapeLetter = document[offset + 1] ?? '';
  const simpleValue = simpleEscapes[escapeLetter];
  if (simpleValue !== undefined) {
    return { value: simpleValue, length: 2 };
  }
  const digits = escapeLetter === 'u' ? document.slice(offset + 2, offset + 6) : '';
  return /^[0-9a-fA-F]{4}$/.test(digits)
    ? { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 }
    : undefined;
}
