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

/** The offset after an escape, from which the offsets in the value and in the document differ by a constant. */
interface OffsetBreak {
  /** Offset in the value. */
  readonly inner: number;
  /** Offset in the document. */
  readonly outer: number;
}

/**
 * The value of a JSON string literal, with a mapping between offsets in the value and in the document. The literal may
 * be incomplete: if unclosed, it ends at the end of its line, and an invalid escape is kept as plain text.
 */
export class JsonString {
  readonly text: string;
  /** The start and end of the string in the document, without the quotes. */
  readonly start: number;
  readonly end: number;
  readonly #breaks: readonly OffsetBreak[];

  /** @param quoteOffset offset of the opening quote in the document */
  constructor(document: string, quote: number) {
    this.start = quote + 1;
    const breaks: OffsetBreak[] = [{ inner: 0, outer: this.start }];
    let text = '';
    let plainFrom = this.start;
    let at = this.start;
    while (at < document.length && !isStringEnd(document.charCodeAt(at))) {
      const escape = document[at] === '\\' ? readEscape(document, at) : undefined;
      if (escape === undefined) {
        at += 1;
      } else {
        text += document.slice(plainFrom, at) + escape.value;
        at += escape.length;
        plainFrom = at;
        breaks.push({ inner: text.length, outer: at });
      }
    }
    this.text = text + document.slice(plainFrom, at);
    this.end = at;
    this.#breaks = breaks;
  }

  /** Converts an offset in the value to an offset in the document. */
  toOuter(inner: number): number {
    const clamped = Math.min(Math.max(0, inner), this.text.length);
    const { inner: from, outer } = this.#breaks[this.#lastBreak('inner', clamped)] ?? { inner: 0, outer: 0 };
    return outer + (clamped - from);
  }

  /**
   * Converts an offset in the document to an offset in the value. Offsets inside an escape are mapped to the escaped
   * character.
   */
  toInner(outer: number): number {
    const clamped = Math.min(Math.max(this.start, outer), this.end);
    const at = this.#lastBreak('outer', clamped);
    const { inner, outer: from } = this.#breaks[at] ?? { inner: 0, outer: 0 };
    const next = this.#breaks[at + 1];
    const value = inner + (clamped - from);
    return next === undefined ? value : Math.min(value, next.inner - 1);
  }

  #lastBreak(side: keyof OffsetBreak, offset: number): number {
    let low = 0;
    let high = this.#breaks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#breaks[middle]?.[side] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}

/** Escapes a text for use in a JSON string; the result has no quotes around it. */
export const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** True for a quote or a line break, which end a JSON string. */
const isStringEnd = (code: number): boolean => code === 0x22 || code === 0x0a || code === 0x0d;

function readEscape(
  document: string,
  at: number,
): { readonly value: string; readonly length: number } | undefined {
  const letter = document[at + 1] ?? '';
  const simple = simpleEscapes[letter];
  if (simple !== undefined) {
    return { value: simple, length: 2 };
  }
  const digits = letter === 'u' ? document.slice(at + 2, at + 6) : '';
  return /^[0-9a-fA-F]{4}$/.test(digits)
    ? { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 }
    : undefined;
}
