import { type JsonMember, type JsonNode, type JsonPath, nodeAt, type ObjectNode, parseJson } from './tree.ts';
import {
  commaAfter,
  endOfRemark,
  eolOf,
  indentOf,
  isBlank,
  lineStart,
  spaceAfter,
  spaceBefore,
  unitOf,
} from './layout.ts';

/** A change of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/**
 * A change of a document by path. `set` replaces or adds a value, `insert` puts an item before the one at the path,
 * `remove` takes a value away, `rename` gives a member another key.
 */
export type PathEdit =
  | { readonly op: 'set' | 'insert'; readonly path: JsonPath; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: JsonPath }
  | { readonly op: 'rename'; readonly path: JsonPath; readonly key: string };

/**
 * The text with the edits made one after another. Only what they name is touched: comments, order, blanks and line
 * ends stay, which jsonc-parser's own `modify` does not promise (it takes comments beside a removed member with it).
 * An edit whose place is not there does nothing.
 */
export function editText(text: string, edits: readonly PathEdit[]): string {
  const replacements = edits.length > 1 ? replacementsAt(text, edits) : undefined;
  return replacements === undefined
    ? edits.reduce((before, edit) => applyTextEdits(before, textEdits(before, edit)), text)
    : applyTextEdits(text, replacements);
}

/** Values that are replaced where they stand need the text read only once; `undefined` for any other edits. */
function replacementsAt(text: string, edits: readonly PathEdit[]): readonly TextEdit[] | undefined {
  const { root } = parseJson(text);
  const replacements: TextEdit[] = [];
  for (const edit of edits) {
    if (edit.op !== 'set' || nodeAt(root, edit.path)?.node === undefined) {
      return undefined;
    }
    replacements.push(...setValue(text, root, edit.path, edit.value));
  }
  const sorted = replacements.sort((a, b) => a.start - b.start);
  return sorted.some(({ start }, index) => start < (sorted[index - 1]?.end ?? 0)) ? undefined : sorted;
}

/** The text edits of one change. */
export function textEdits(text: string, edit: PathEdit): readonly TextEdit[] {
  const { root } = parseJson(text);
  const parent = nodeAt(root, edit.path.slice(0, -1))?.node;
  const step = edit.path.at(-1);
  const place = nodeAt(root, edit.path);
  switch (edit.op) {
    case 'set':
      return setValue(text, root, edit.path, edit.value);
    case 'insert':
      return parent?.kind === 'array' && typeof step === 'number'
        ? insertItem(text, parent, step, edit.value)
        : [];
    case 'rename':
      return place?.member === undefined
        ? []
        : [{ start: place.member.start, end: place.member.keyEnd, newText: JSON.stringify(edit.key) }];
    case 'remove':
      if (parent?.kind === 'object' && place?.member !== undefined) {
        return removeEntry(text, parent.members, parent.members.indexOf(place.member));
      }
      return parent?.kind === 'array' && typeof step === 'number' && step < parent.items.length
        ? removeEntry(text, parent.items, step)
        : [];
  }
}

/** The text with edits made that do not overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, newText } of [...edits].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, start), newText);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** The one edit that makes a text into another; none where they are the same. */
export function editBetween(before: string, after: string): readonly TextEdit[] {
  if (before === after) {
    return [];
  }
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) {
    head += 1;
  }
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) {
    tail += 1;
  }
  return [{ start: head, end: before.length - tail, newText: after.slice(head, after.length - tail) }];
}

function setValue(
  text: string,
  root: JsonNode | undefined,
  path: JsonPath,
  value: unknown,
): readonly TextEdit[] {
  const place = nodeAt(root, path);
  const node = place?.node;
  if (node !== undefined) {
    const isSpread = text.slice(node.start, node.end).includes('\n');
    const newText = written(text, value, indentOf(text, node.start), isSpread || !isInOneLine(text));
    return [{ start: node.start, end: node.end, newText }];
  }
  const step = path.at(-1);
  const holder = nodeAt(root, path.slice(0, -1))?.node;
  if (step === undefined || place !== undefined) {
    return [];
  }
  if (holder?.kind === 'object' && typeof step === 'string') {
    return addMember(text, holder, step, value);
  }
  const isNothing = holder === undefined || (holder.kind === 'literal' && holder.value === null);
  return isNothing && typeof step === 'string'
    ? setValue(text, root, path.slice(0, -1), { [step]: value })
    : [];
}

const isInOneLine = (text: string): boolean => !text.trim().includes('\n');

/** A value as JSON, spread over lines as the rest of the document is. */
function written(text: string, value: unknown, indent: string, isSpread: boolean): string {
  if (!isSpread) {
    return JSON.stringify(value);
  }
  return JSON.stringify(value, undefined, unitOf(text)).replaceAll('\n', `${eolOf(text)}${indent}`);
}

function addMember(text: string, holder: ObjectNode, key: string, value: unknown): readonly TextEdit[] {
  const last = holder.members.at(-1);
  const colon = last === undefined ? ': ' : colonOf(text, last);
  const write = (indent: string, isSpread: boolean): string => {
    const json = isSpread || colon === ':' ? written(text, value, indent, isSpread) : airy(value);
    return `${JSON.stringify(key)}${colon}${json}`;
  };
  return addEntry(text, holder, holder.members, { index: holder.members.length, write, gap: colon.slice(1) });
}

const insertItem = (
  text: string,
  holder: JsonNode & { kind: 'array' },
  index: number,
  value: unknown,
): readonly TextEdit[] =>
  index > holder.items.length
    ? []
    : addEntry(text, holder, holder.items, {
        index,
        write: (indent, isSpread) => written(text, value, indent, isSpread),
        gap: ' ',
      });

/** How a document writes its colons: with a blank or without. */
const colonOf = (text: string, { keyEnd, value }: JsonMember): string =>
  value !== undefined && !/\s$/.test(text.slice(keyEnd, value.start)) ? ':' : ': ';

/** A value in one line, as people write it. */
function airy(value: unknown): string {
  const lines = JSON.stringify(value, undefined, 1).split('\n');
  return lines.length === 1 ? (lines[0] ?? '') : lines.map((line) => line.trim()).join(' ');
}

type Entry = { readonly start: number; readonly end: number };

interface NewEntry {
  /** Before which entry it goes. */
  readonly index: number;
  readonly write: (indent: string, isSpread: boolean) => string;
  /** What stands behind a comma in a line, where no other comma shows it. */
  readonly gap: string;
}

function addEntry(
  text: string,
  holder: Entry,
  entries: readonly Entry[],
  { index, write, gap }: NewEntry,
): readonly TextEdit[] {
  const eol = eolOf(text);
  const next = entries[index];
  const last = entries.at(-1);
  if (last === undefined) {
    if (isInOneLine(text)) {
      return [insertion(holder.start + 1, write('', false))];
    }
    const outer = indentOf(text, holder.start);
    const indent = outer + unitOf(text);
    const closes = text.slice(holder.start, holder.end).includes('\n') ? '' : `${eol}${outer}`;
    return [insertion(holder.start + 1, `${eol}${indent}${write(indent, true)}${closes}`)];
  }
  if (next !== undefined) {
    const isSpread = isBlank(text.slice(lineStart(text, next.start), next.start));
    const indent = indentOf(text, next.start);
    const between = isSpread ? `,${eol}${indent}` : `,${gapOf(text, entries, gap)}`;
    return [insertion(next.start, `${write(indent, isSpread)}${between}`)];
  }
  const comma = commaAfter(text, last.end);
  const isSpread = isBlank(text.slice(lineStart(text, last.start), last.start));
  const indent = indentOf(text, last.start);
  if (!isSpread) {
    const at = comma === undefined ? last.end : comma + 1;
    return [
      insertion(at, `${comma === undefined ? ',' : ''}${gapOf(text, entries, gap)}${write(indent, false)}`),
    ];
  }
  const line = `${eol}${indent}${write(indent, true)}`;
  const end = endOfRemark(text, comma === undefined ? last.end : comma + 1);
  if (comma !== undefined) {
    return [insertion(end, `${line},`)];
  }
  return end === last.end ? [insertion(end, `,${line}`)] : [insertion(last.end, ','), insertion(end, line)];
}

/** What stands behind the commas of a list in one line. */
function gapOf(text: string, entries: readonly Entry[], gap: string): string {
  const comma = entries.length > 1 ? commaAfter(text, entries[0]?.end ?? 0) : undefined;
  return comma === undefined ? gap : /\s/.test(text[comma + 1] ?? '') ? ' ' : '';
}

const insertion = (at: number, newText: string): TextEdit => ({ start: at, end: at, newText });
const deletion = (start: number, end: number): TextEdit => ({ start, end, newText: '' });

/** The text without one member of an object; for a member that a path does not lead to. */
export const removeMember = (text: string, holder: ObjectNode, index: number): string =>
  applyTextEdits(text, removeEntry(text, holder.members, index));

/** Takes an entry away with one comma and, where it stands alone, with its line. Comments stay. */
function removeEntry(text: string, entries: readonly Entry[], index: number): readonly TextEdit[] {
  const entry = entries[index];
  const previous = entries[index - 1];
  if (entry === undefined) {
    return [];
  }
  const comma = commaAfter(text, entry.end);
  const before = previous === undefined || comma !== undefined ? undefined : commaAfter(text, previous.end);
  const isNear = comma !== undefined && isBlank(text.slice(entry.end, comma));
  const end = isNear ? comma + 1 : entry.end;
  const edits = [withSpace(text, entry.start, end, entries.length === index + 1)];
  if (comma !== undefined && !isNear) {
    edits.push(deletion(comma, comma + 1));
  }
  if (before !== undefined) {
    edits.push(deletion(before, before + 1));
  }
  return edits;
}

/** A deletion with the blanks, or the line, that nobody needs without what is deleted. */
function withSpace(text: string, start: number, end: number, isLast: boolean): TextEdit {
  const from = lineStart(text, start);
  const to = spaceAfter(text, end);
  const isFirstOfLine = isBlank(text.slice(from, start));
  const endsLine = to >= text.length || text[to] === '\n' || text[to] === '\r';
  if (isFirstOfLine && endsLine) {
    return deletion(from, Math.min(to + (text.startsWith('\r\n', to) ? 2 : 1), text.length));
  }
  if (isLast && !isFirstOfLine) {
    return deletion(spaceBefore(text, start), end);
  }
  return deletion(start, endsLine ? end : to);
}
