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
interface Level {
  readonly kind: 'object' | 'list';
  /** In an object, the name whose value comes next. */
  name?: string | undefined;
}

/** The position of the caret in a filter that may be incomplete. */
export function getFilterPosition(text: string, offset: number): FilterPosition {
  const levels: Level[] = [];
  let index = 0;
  while (index < offset) {
    const character = text[index] ?? '';
    const top = levels.at(-1);
    if (character === '"') {
      const end = findStringEnd(text, index);
      if (end > offset || (end === offset && !isClosed(text, index, end))) {
        return createPosition(levels, index, text.slice(index + 1, offset));
      }
      const isName = top?.kind === 'object' && top.name === undefined;
      if (isName) {
        top.name = unquote(text.slice(index, end));
      }
      index = end;
      continue;
    }
    if (character === '{' || character === '[') {
      levels.push({ kind: character === '{' ? 'object' : 'list' });
    } else if (character === '}' || character === ']') {
      levels.pop();
    } else if (character === ',' && top?.kind === 'object') {
      top.name = undefined;
    } else if (/[^\s:,]/.test(character)) {
      const end = findWordEnd(text, index);
      if (end >= offset) {
        return createPosition(levels, index, text.slice(index, offset));
      }
      index = end;
      continue;
    }
    index += 1;
  }
  return createPosition(levels, offset, '', text.trim() === '');
}

function createPosition(
  levels: readonly Level[],
  start: number,
  typedText: string,
  isEmpty = false,
): FilterPosition {
  const top = levels.at(-1);
  if (top === undefined) {
    return { kind: 'outside', isEmpty };
  }
  const parentNames = levels.flatMap(({ name }) => (name === undefined ? [] : [name]));
  return {
    kind: top.kind === 'object' && top.name === undefined ? 'name' : 'value',
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
