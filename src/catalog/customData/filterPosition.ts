/** What can be completed at a position in a filter document. */
export type FilterPosition =
  /** A name in an object; `parentNames` is the path to the object, outermost first. */
  | {
      readonly kind: 'name';
      readonly parentNames: readonly string[];
      readonly start: number;
      readonly typedText: string;
    }
  /** A value; the last of `parentNames` is the name whose value it is. */
  | {
      readonly kind: 'value';
      readonly parentNames: readonly string[];
      readonly start: number;
      readonly typedText: string;
    }
  /** Before or after the document. */
  | { readonly kind: 'outside'; readonly isEmpty: boolean };

/** An object or list that is still open at the current position. */
interface OpenContainer {
  readonly kind: 'object' | 'list';
  /** In an object, the name whose value comes next. */
  name?: string | undefined;
}

/** The position of the caret in a filter that may be incomplete. */
export function getFilterPosition(text: string, offset: number): FilterPosition {
  const openContainers: OpenContainer[] = [];
  let index = 0;
  while (index < offset) {
    const character = text[index] ?? '';
    const innermost = openContainers.at(-1);
    if (character === '"') {
      const end = findStringEnd(text, index);
      if (end > offset || (end === offset && !isClosed(text, index, end))) {
        return createPosition(openContainers, index, text.slice(index + 1, offset));
      }
      const isName = innermost?.kind === 'object' && innermost.name === undefined;
      if (isName) {
        innermost.name = unquote(text.slice(index, end));
      }
      index = end;
      continue;
    }
    if (character === '{' || character === '[') {
      openContainers.push({ kind: character === '{' ? 'object' : 'list' });
    } else if (character === '}' || character === ']') {
      openContainers.pop();
    } else if (character === ',' && innermost?.kind === 'object') {
      innermost.name = undefined;
    } else if (/[^\s:,]/.test(character)) {
      const end = findWordEnd(text, index);
      if (end >= offset) {
        return createPosition(openContainers, index, text.slice(index, offset));
      }
      index = end;
      continue;
    }
    index += 1;
  }
  return createPosition(openContainers, offset, '', text.trim() === '');
}

function createPosition(
  openContainers: readonly OpenContainer[],
  start: number,
  typedText: string,
  isEmpty = false,
): FilterPosition {
  const innermost = openContainers.at(-1);
  if (innermost === undefined) {
    return { kind: 'outside', isEmpty };
  }
  const parentNames = openContainers.flatMap(({ name }) => (name === undefined ? [] : [name]));
  return {
    kind: innermost.kind === 'object' && innermost.name === undefined ? 'name' : 'value',
    parentNames,
    start,
    typedText,
  };
}

/** The index after the closing quote, or the end of the text if there is none. */
function findStringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') {
    index += text[index] === '\\' ? 2 : 1;
  }
  return Math.min(text.length, index + 1);
}

/** True if a string ends with its closing quote; a quote after an odd number of backslashes is part of the string. */
const isClosed = (text: string, start: number, end: number): boolean =>
  /^"(?:[^\\"]|\\[\s\S])*"$/.test(text.slice(start, end));

function findWordEnd(text: string, start: number): number {
  let index = start;
  while (index < text.length && /[^\s:,{}[\]"]/.test(text[index] ?? '')) {
    index += 1;
  }
  return index;
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
