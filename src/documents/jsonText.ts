import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { type JsonValue, parseLossless, stringify } from '../base/json.ts';

/** A part of a text, in UTF-16 units. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** The reason why a text is not the expected JSON. */
export interface JsonTextProblem extends TextSpan {
  readonly code: 'syntax' | 'duplicate-key' | 'too-deep';
  /** The parser's error code, such as `CommaExpected`, or the duplicate key; empty for `too-deep`. */
  readonly detail: string;
}

export type ParsedJsonText =
  | { readonly value: JsonValue; readonly hasComments: boolean }
  | { readonly problems: readonly JsonTextProblem[] };

/**
 * Parses the user's text without loss: numbers keep their spelling. A duplicate key is rejected, since one of its
 * values would be lost.
 * @param options.allowsComments whether comments and trailing commas are allowed (language `jsonc`)
 */
export function parseJsonText(text: string, options: { readonly allowsComments: boolean }): ParsedJsonText {
  const problems: JsonTextProblem[] = [];
  const builder = new JsonBuilder(text, problems);
  let hasComments = false;
  try {
    visit(
      text,
      {
        onObjectBegin: () => builder.openContainer('object'),
        onArrayBegin: () => builder.openContainer('array'),
        onObjectProperty: (name, offset, length) => builder.addProperty(name, { offset, length }),
        onObjectEnd: () => builder.closeContainer(),
        onArrayEnd: () => builder.closeContainer(),
        onLiteralValue: (_value, offset, length) => builder.addLiteral({ offset, length }),
        onComment: () => {
          hasComments = true;
        },
        onError: (error, offset, length) =>
          problems.push(createSyntaxProblem(error, clampSpan(text, offset, length))),
      },
      { disallowComments: !options.allowsComments, allowTrailingComma: options.allowsComments },
    );
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    return { problems: [{ code: 'too-deep', detail: '', offset: 0, length: 0 }] };
  }
  return problems.length > 0 || builder.value === undefined
    ? {
        problems:
          problems.length > 0
            ? problems
            : [{ code: 'syntax', detail: 'ValueExpected', offset: 0, length: 0 }],
      }
    : { value: builder.value, hasComments };
}

/** Formats a document: an indentation of two spaces, and a line break at the end. */
export const formatDocument = (value: JsonValue): string => `${stringify(value, 2)}\n`;

const createSyntaxProblem = (error: ParseErrorCode, span: TextSpan): JsonTextProblem => ({
  code: 'syntax',
  detail: printParseErrorCode(error),
  ...span,
});

/** For a text that ends within a comment, the scanner reports a length that is one character too long. */
const clampSpan = (text: string, offset: number, length: number): TextSpan => ({
  offset,
  length: Math.min(length, text.length - offset),
});

interface OpenObject {
  readonly kind: 'object';
  readonly members: [string, JsonValue][];
  readonly names: Set<string>;
  name: string;
}
interface OpenArray {
  readonly kind: 'array';
  readonly items: JsonValue[];
}

/** Builds a value from the scanner's events. Events that don't fit are ignored: the scanner has reported an error. */
class JsonBuilder {
  readonly #text: string;
  readonly #problems: JsonTextProblem[];
  readonly #openContainers: (OpenObject | OpenArray)[] = [];
  value: JsonValue | undefined;

  constructor(text: string, problems: JsonTextProblem[]) {
    this.#text = text;
    this.#problems = problems;
  }

  openContainer(kind: 'object' | 'array'): void {
    this.#openContainers.push(
      kind === 'object' ? { kind, members: [], names: new Set(), name: '' } : { kind, items: [] },
    );
  }

  addProperty(name: string, span: TextSpan): void {
    const object = this.#openContainers.at(-1);
    if (object?.kind !== 'object') {
      return;
    }
    if (object.names.has(name)) {
      this.#problems.push({ code: 'duplicate-key', detail: name, ...span });
    }
    object.names.add(name);
    object.name = name;
  }

  closeContainer(): void {
    const container = this.#openContainers.pop();
    if (container !== undefined) {
      this.#addValue(container.kind === 'object' ? Object.fromEntries(container.members) : container.items);
    }
  }

  /** Parses the literal's text, since the scanner's value may have lost digits. */
  addLiteral({ offset, length }: TextSpan): void {
    if (this.#problems.length === 0) {
      this.#addValue(parseLossless(this.#text.slice(offset, offset + length)));
    }
  }

  #addValue(value: JsonValue): void {
    const parent = this.#openContainers.at(-1);
    if (parent === undefined) {
      this.value = value;
    } else if (parent.kind === 'array') {
      parent.items.push(value);
    } else {
      parent.members.push([parent.name, value]);
    }
  }
}
