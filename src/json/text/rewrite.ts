import type { JsonValue } from '../../base/json.ts';
import { getIndentation, type JsonLayout, formatSingleLine, formatMultiline } from './layout.ts';
import { type Container, getEntries, type JsonMember, type JsonNode } from './jsonNode.ts';
import { longestIncreasingSubsequence } from './longestIncreasingSubsequence.ts';
import { type Piece, type ContainerPieces, splitContainer } from './pieces.ts';
import type { TextEdit } from '../../base/textEdit.ts';

/** One entry of the new array or object: an existing entry to keep, by index, or a new one to add. */
export type Slot =
  | { readonly keep: number }
  | { readonly add: JsonValue /** The key of a property. */; readonly name?: string };

/** Options for rewriting a text. */
export interface RewriteOptions {
  readonly layout: JsonLayout;
  /** True if comments beside an item stay when the item is removed. */
  readonly keepsComments: boolean;
}

/** The formatting style of the items of an array or object. */
interface ItemStyle {
  readonly overLines: boolean;
  readonly indentation: string;
  /** Whitespace before the first item, if items do not start on new lines. */
  readonly firstLead: string;
  readonly lead: string;
  readonly itemsOverLines: boolean;
}

/**
 * Creates the edits that reorder, remove and insert items of an array or object. Items that keep their relative order
 * are not touched, commas are adjusted, and comments on separate lines stay where they are.
 */
export function rewriteItems(
  text: string,
  container: Container,
  slots: readonly Slot[],
  manner: RewriteOptions,
): readonly TextEdit[] {
  const parts = splitContainer(text, container);
  const open = container.start + 1;
  const loses = !manner.keepsComments || parts.pieces.every((piece) => !hasComments(text, piece));
  if (slots.length === 0 && loses && isBlankWithoutItems(text, open, parts)) {
    return [{ start: open, end: parts.close, newText: '' }];
  }
  return new ContainerRewriter(text, container, parts, slots, manner).createEdits();
}

/** True if only whitespace would remain between the brackets without the items. */
function isBlankWithoutItems(text: string, open: number, { pieces, close }: ContainerPieces): boolean {
  const gaps = [...pieces.map(({ start }) => start), close].map((end, index) =>
    text.slice(pieces[index - 1]?.end ?? open, end),
  );
  return gaps.every((gap) => gap.trim() === '');
}

const hasComments = (text: string, { start, nodeStart, nodeEnd, end }: Piece): boolean =>
  text.slice(start, nodeStart).trim() !== '' || !/^[\s,]*$/.test(text.slice(nodeEnd, end));

class ContainerRewriter {
  readonly #text: string;
  readonly #container: Container;
  readonly #parts: ContainerPieces;
  readonly #slots: readonly Slot[];
  readonly #layout: JsonLayout;
  readonly #keepsComments: boolean;
  readonly #style: ItemStyle;
  readonly #createEdits: TextEdit[] = [];
  /** True while the output ends with a line comment. */
  #needsBreak: boolean;
  /** The number of items written to the output so far. */
  #placedCount = 0;

  constructor(
    text: string,
    container: Container,
    parts: ContainerPieces,
    slots: readonly Slot[],
    { layout, keepsComments }: RewriteOptions,
  ) {
    this.#text = text;
    this.#container = container;
    this.#parts = parts;
    this.#slots = slots;
    this.#layout = layout;
    this.#keepsComments = keepsComments;
    this.#style = detectStyle(text, container, parts, layout);
    this.#needsBreak = parts.headNeedsBreak;
  }

  createEdits(): readonly TextEdit[] {
    const { pieces, head, close } = this.#parts;
    const kept = this.#slots.flatMap((slot) => ('keep' in slot ? [slot.keep] : []));
    const staying = new Set(longestIncreasingSubsequence(kept));
    const moving = new Set(kept).difference(staying);
    this.#insertUntil(staying, head);
    pieces.forEach((piece, index) => {
      if (piece.start > (pieces[index - 1]?.end ?? head)) {
        // A comment on a separate line precedes the item. It is kept, so it is now the end of the output.
        this.#needsBreak = piece.startNeedsBreak;
      }
      if (staying.has(index)) {
        this.#keepItem(piece, index);
        this.#insertUntil(staying, piece.end);
      } else {
        this.#removeItem(piece, this.#keepsComments && !moving.has(index));
      }
    });
    this.#closeContainer(pieces.at(-1)?.end ?? head, close);
    return this.#createEdits;
  }

  /** Inserts the new and moved items at an offset, up to the next item that is not moved. */
  #insertUntil(staying: ReadonlySet<number>, offset: number): void {
    for (
      let slot = this.#slots[this.#placedCount];
      slot !== undefined;
      slot = this.#slots[this.#placedCount]
    ) {
      if ('keep' in slot && staying.has(slot.keep)) {
        return;
      }
      const piece = 'keep' in slot ? this.#parts.pieces[slot.keep] : undefined;
      const own = piece === undefined ? '' : this.#text.slice(piece.start, piece.nodeStart);
      const body = 'keep' in slot ? this.#getBody(slot.keep) : this.#formatNewItem(slot);
      const after = piece === undefined ? '' : this.#getTrailingText(piece);
      const comma = this.#needsComma() ? ',' : '';
      const lead = this.#getLead(own);
      this.#replace(offset, offset, `${lead}${body}${comma}${after}`);
      this.#needsBreak = piece?.needsBreak ?? false;
      this.#placedCount += 1;
    }
  }

  #removeItem(piece: Piece, keepsComments: boolean): void {
    const { start, nodeStart, nodeEnd, comma, end } = piece;
    if (!keepsComments || !hasComments(this.#text, piece)) {
      this.#replace(start, end, '');
      return;
    }
    if (this.#needsBreak && !/^[ \t]*[\r\n]/.test(this.#text.slice(start, nodeStart))) {
      // Otherwise the remaining comment of this item would become part of the line comment before it.
      this.#replace(start, start, this.#createNewLine(this.#style.indentation));
    }
    const isNear = comma !== undefined && this.#text.slice(nodeEnd, comma).trim() === '';
    const rest = isNear ? comma + 1 : nodeEnd;
    this.#replace(nodeStart, rest + (/^[ \t]*/.exec(this.#text.slice(rest, end))?.[0].length ?? 0), '');
    if (comma !== undefined && !isNear) {
      this.#replace(comma, comma + 1, '');
    }
    this.#needsBreak = piece.needsBreak;
  }

  #keepItem(piece: Piece, index: number): void {
    const lead = this.#text.slice(piece.start, piece.nodeStart);
    if (!/[\r\n]/.test(lead)) {
      const wasFirst = index === 0;
      const isFirst = this.#placedCount === 0;
      if (this.#needsBreak || (wasFirst !== isFirst && lead.trim() === '')) {
        this.#replace(piece.start, piece.nodeStart, this.#getLead(lead));
      }
    }
    const needsComma = this.#needsComma();
    if (needsComma && piece.comma === undefined) {
      this.#replace(piece.nodeEnd, piece.nodeEnd, ',');
    } else if (!needsComma && piece.comma !== undefined) {
      this.#replace(piece.comma, piece.comma + 1, '');
    }
    this.#needsBreak = piece.needsBreak;
    this.#placedCount += 1;
  }

  /**
   * Moves the closing bracket to a new line if the output ends with a line comment, or if the container was empty and
   * its new items are on separate lines.
   */
  #closeContainer(from: number, close: number): void {
    const getBlanks = this.#text.slice(from, close);
    const endsLine = /^[ \t]*\r?\n/.test(getBlanks);
    const wasEmpty = this.#parts.pieces.length === 0;
    if ((this.#needsBreak && !endsLine) || (wasEmpty && this.#style.overLines)) {
      const line = this.#layout.endOfLine + getIndentation(this.#text, this.#container.start);
      this.#replace(from, close, line);
    }
  }

  /**
   * Returns the whitespace and comments to write before an inserted item: those of the item itself if they begin on a
   * new line or contain a comment, otherwise the usual separator.
   */
  #getLead(own: string): string {
    const { overLines, firstLead, lead, indentation } = this.#style;
    const begins = /[\r\n]/.test(own);
    if (own.trim() !== '' || (begins && overLines)) {
      return this.#needsBreak && !begins ? this.#createNewLine(indentation) + own.trimStart() : own;
    }
    if (overLines || this.#needsBreak) {
      return this.#createNewLine(indentation);
    }
    return this.#placedCount === 0 ? firstLead : lead;
  }

  #createNewLine(indentation: string): string {
    return this.#layout.endOfLine + indentation;
  }

  #needsComma(): boolean {
    const hasTrailingComma = this.#parts.pieces.at(-1)?.comma !== undefined;
    return hasTrailingComma || this.#placedCount < this.#slots.length - 1;
  }

  #getBody(index: number): string {
    const piece = this.#parts.pieces[index];
    return piece === undefined ? '' : this.#text.slice(piece.nodeStart, piece.nodeEnd);
  }

  /** Returns the text after an item in its region, without the comma. */
  #getTrailingText({ nodeEnd, comma, end }: Piece): string {
    return comma === undefined
      ? this.#text.slice(nodeEnd, end)
      : this.#text.slice(nodeEnd, comma) + this.#text.slice(comma + 1, end);
  }

  #formatNewItem({ add, name }: Extract<Slot, { add: JsonValue }>): string {
    const { itemsOverLines, indentation } = this.#style;
    const value = itemsOverLines
      ? formatMultiline(add, this.#layout, indentation)
      : formatSingleLine(add, this.#layout);
    return name === undefined
      ? value
      : `${JSON.stringify(name)}${this.#layout.isSpaced ? ': ' : ':'}${value}`;
  }

  #replace(start: number, end: number, newText: string): void {
    if (start !== end || newText !== '') {
      this.#createEdits.push({ start, end, newText });
    }
  }
}

function detectStyle(
  text: string,
  container: Container,
  { pieces }: ContainerPieces,
  layout: JsonLayout,
): ItemStyle {
  const getLead = ({ start, nodeStart }: Piece): string => text.slice(start, nodeStart);
  const ownLine = pieces.find((piece) => /[\r\n]/.test(getLead(piece)));
  const isEmpty = pieces.length === 0;
  const getBlanks = (piece: Piece | undefined, usual: string): string =>
    piece === undefined || getLead(piece).trim() !== '' ? usual : getLead(piece);
  const base = getIndentation(text, container.start);
  return {
    overLines: isEmpty ? layout.hasLines : ownLine !== undefined,
    indentation: isEmpty
      ? base + layout.unit
      : ownLine === undefined
        ? base
        : getLineIndentation(getLead(ownLine)),
    firstLead: getBlanks(pieces[0], ''),
    lead: getBlanks(pieces[1], layout.isSpaced ? ' ' : ''),
    itemsOverLines: layout.hasLines && !hasItemsOnOneLine(text, container, ownLine === undefined),
  };
}

const getLineIndentation = (lead: string): string => /[^\r\n]*$/.exec(lead)?.[0].match(/^[ \t]*/)?.[0] ?? '';

/**
 * True if nested arrays and objects are on one line, judging by the first; without any, if all items are on one line.
 */
function hasItemsOnOneLine(text: string, container: Container, onOneLine: boolean): boolean {
  const entries = getEntries(container);
  const nested = entries.map(getEntryValue).find((value) => value !== undefined && hasEntries(value));
  return nested === undefined
    ? onOneLine && entries.length > 0
    : !/[\r\n]/.test(text.slice(nested.start, nested.end));
}

const getEntryValue = (entry: JsonMember | JsonNode): JsonNode | undefined =>
  'key' in entry ? entry.value : entry;

const hasEntries = (node: JsonNode): boolean => node.kind !== 'literal' && getEntries(node).length > 0;
