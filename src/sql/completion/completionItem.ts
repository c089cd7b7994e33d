import type { CaretPosition } from './caretPosition.ts';

export type CompletionKind = 'table' | 'column' | 'alias' | 'cte' | 'function' | 'keyword';

/** A proposal at the caret. */
export interface CompletionItem {
  /** The bare name: no quotes, parentheses or qualifier. */
  readonly label: string;
  readonly insertText: string;
  readonly kind: CompletionKind;
  readonly detail?: string;
  /** Start of the text that an accepted proposal replaces, including an open quote. */
  readonly start: number;
  readonly end: number;
}

/** A proposal without the range that it replaces, before ranking. */
export interface CompletionDraft {
  readonly label: string;
  readonly insertText: string;
  readonly kind: CompletionKind;
  readonly detail?: string | undefined;
  /** Start of the replaced text, if it differs from the start of the typed word. */
  readonly start?: number;
}

const NO_MATCH = 3;

/**
 * Scores how well a name matches the typed text: 0 if the name starts with it, 1 if one of its words does, 2 if the
 * name contains the letters in order, the first of them at the start of a word. Otherwise, returns `NO_MATCH`.
 */
function scoreMatch(label: string, prefix: string): number {
  const name = label.toLowerCase();
  if (name.startsWith(prefix)) {
    return 0;
  }
  if (name.includes(` ${prefix}`) || name.includes(`_${prefix}`) || name.includes(`.${prefix}`)) {
    return 1;
  }
  if (!hasLettersInOrder(name, 0, prefix)) {
    return NO_MATCH;
  }
  for (
    let start = name.indexOf(prefix.charAt(0));
    start >= 0;
    start = name.indexOf(prefix.charAt(0), start + 1)
  ) {
    if (isWordStartAt(label, start) && hasLettersInOrder(name, start, prefix)) {
      return 2;
    }
  }
  return NO_MATCH;
}

/** True at the start of a name, after a separator, and at an uppercase letter after a lowercase one. */
const isWordStartAt = (name: string, index: number): boolean =>
  index === 0 || /^(?:[ _.].|[a-z][A-Z])$/s.test(name.slice(index - 1, index + 1));

/** True if the name contains the letters in this order, from `start` on. */
function hasLettersInOrder(name: string, start: number, letters: string): boolean {
  let index = start;
  for (const letter of letters) {
    index = name.indexOf(letter, index) + 1;
    if (index === 0) {
      return false;
    }
  }
  return true;
}

/** Removes drafts that do not match the typed text and sorts the others by match; equal matches keep their order. */
export function rankDrafts(drafts: readonly CompletionDraft[], position: CaretPosition): CompletionItem[] {
  const prefix = position.prefix.toLowerCase();
  const buckets: CompletionItem[][] = [[], [], []];
  const insertTexts = new Map<CompletionKind, Set<string>>();
  for (const { label, insertText, kind, detail, start } of drafts) {
    const bucket = buckets[prefix === '' ? 0 : scoreMatch(label, prefix)];
    if (bucket === undefined) {
      continue;
    }
    const earlierTexts = insertTexts.get(kind) ?? new Set();
    if (earlierTexts.has(insertText)) {
      continue;
    }
    insertTexts.set(kind, earlierTexts.add(insertText));
    const range = { start: start ?? position.start, end: position.end };
    bucket.push(
      detail === undefined
        ? { label, insertText, kind, ...range }
        : { label, insertText, kind, detail, ...range },
    );
  }
  return buckets.flat();
}
