/** The kind of completion at a position in a filter document, determined only from the text before it. */
export type FilterPosition =
  /** A name in an object; `parentNames` is the path to the object, outermost first. */
  | {
      readonly kind: 'name';
      readonly above: readonly string[];
      readonly start: number;
      readonly typed: string;
    }
  /** A value; the last of `parentNames` is its own name. */
  | {
      readonly kind: 'value';
      readonly above: readonly string[];
      readonly start: number;
      readonly typed: string;
    }
  /** Before or after the document. */
  | { readonly kind: 'outside'; readonly isEmpty: boolean };

interface Level {
  readonly kind: 'object' | 'list';
  /** In an object, the name whose value comes next. */
  name?: string | undefined;
}

/** The position of the caret in a filter that may be incomplete. */
export function getFilterPosition(text: string, offset: number): FilterPosition {
  const levels: Level[] = [];
  let at = 0;
  while (at < offset) {
    const character = text[at] ?? '';
    const top = levels.at(-1);
    if (character === '"') {
      const end = findStringEnd(text, at);
      if (end > offset || (end === offset && !isClosed(text, at, end))) {
        return toPosition(levels, at, text.slice(at + 1, offset));
      }
      const isName = top?.kind === 'object' && top.name === undefined;
      if (isName) {
        top.name = unquote(text.slice(at, end));
      }
      at = end;
      continue;
    }
    if (character === '{' || character === '[') {
      levels.push({ kind: character === '{' ? 'object' : 'list' });
    } else if (character === '}' || character === ']') {
      levels.pop();
    } else if (character === ',' && top?.kind === 'object') {
      top.name = undefined;
    } else if (/[^\s:,]/.test(character)) {
      const end = findWordEnd(text, at);
      if (end >= offset) {
        return toPosition(levels, at, text.slice(at, offset));
      }
      at = end;
      continue;
    }
    at += 1;
  }
  return toPosition(levels, offset, '', text.trim() === '');
}

function toPosition(levels: readonly Level[], start: number, typed: string, isEmpty = false): FilterPosition {
  const top = levels.at(-1);
  if (top === undefined) {
    return { kind: 'outside', isEmpty };
  }
  const above = levels.flatMap(({ name }) => (name === undefined ? [] : [name]));
  return { kind: top.kind === 'object' && top.name === undefined ? 'name' : 'value', above, start, typed };
}

/** The index after the closing quote, or the end of the text if there is none. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return Math.min(text.length, at + 1);
}

/** True if a string ends with its closing quote; a quote after an odd number of backslashes is part of the string. */
const isClosed = (text: string, start: number, end: number): boolean =>
  /^"(?:[^\\"]|\\[\s\S])*"$/.test(text.slice(start, end));

function findWordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[^\s:,{}[\]"]/.test(text[at] ?? '')) {
    at += 1;
  }
  return at;
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
