import type { JsonValue } from '../../base/json.ts';
import { indentationAt, type Layout, onOneLine, overLines } from './layout.ts';
import { type Container, entriesOf, type JsonMember, type JsonNode } from './jsonNode.ts';
import { longestRise } from './longestRise.ts';
import { type Piece, type Pieces, piecesOf } from './pieces.ts';
import type { TextEdit } from './textEdit.ts';

/** What stands at a place of an array or object afterwards: an item that is there already, or a new one. */
export type Slot =
  | { readonly keep: number }
  | { readonly add: JsonValue /** Of a property. */; readonly name?: string };

/** How a text is changed. */
export interface Manner {
  readonly layout: Layout;
  /** Whether comments beside an item stay when the item goes. */
  readonly keepsRemarks: boolean;
}

/** How the items of one container are laid out. */
interface Style {
  readonly overLines: boolean;
  readonly indentation: string;
  /** Blanks before the first item, where items do not begin lines. */
  readonly firstLead: string;
  readonly lead: string;
  readonly itemsOverLines: boolean;
}

/**
 * Puts the items of an array or object in another order, leaves some out and puts new ones in. Items that keep their
 * order among each other are not touched; commas are mended; comments on lines of their own stay where they are.
 */
export function rewriteItems(
  text: string,
  container: Container,
  slots: readonly Slot[],
  manner: Manner,
): readonly TextEdit[] {
  const parts = piecesOf(text, container);
  const open = container.start + 1;
  const loses = !manner.keepsRemarks || parts.pieces.every((piece) => !hasRemarks(text, piece));
  if (slots.length === 0 && loses && isBlankWithout(text, open, parts)) {
    return [{ start: open, end: parts.close, newText: '' }];
  }
  return new Rewriting(text, container, parts, slots, manner).edits();
}

/** True where nothing but blanks is left once the items are gone. */
function isBlankWithout(text: string, open: number, { pieces, close }: Pieces): boolean {
  const gaps = [...pieces.map(({ start }) => start), close].map((end, index) =>
    text.slice(pieces[index - 1]?.end ?? open, end),
  );
  return gaps.every((gap) => gap.trim() === '');
}

const hasRemarks = (text: string, { start, nodeStart, nodeEnd, end }: Piece): boolean =>
  text.slice(start, nodeStart).trim() !== '' || !/^[\s,]*$/.test(text.slice(nodeEnd, end));

class Rewriting {
  readonly #text: string;
  readonly #container: Container;
  readonly #parts: Pieces;
  readonly #slots: readonly Slot[];
  readonly #layout: Layout;
  readonly #keepsRemarks: boolean;
  readonly #style: Style;
  readonly #edits: TextEdit[] = [];
  /** True while what comes last in the outcome is a line comment. */
  #needsBreak: boolean;
  /** How many items of the outcome are done. */
  #done = 0;

  constructor(
    text: string,
    container: Container,
    parts: Pieces,
    slots: readonly Slot[],
    { layout, keepsRemarks }: Manner,
  ) {
    this.#text = text;
    this.#container = container;
    this.#parts = parts;
    this.#slots = slots;
    this.#layout = layout;
    this.#keepsRemarks = keepsRemarks;
    this.#style = styleOf(text, container, parts, layout);
    this.#needsBreak = parts.headNeedsBreak;
  }

  edits(): readonly TextEdit[] {
    const { pieces, head, close } = this.#parts;
    const kept = this.#slots.flatMap((slot) => ('keep' in slot ? [slot.keep] : []));
    const staying = new Set(longestRise(kept));
    const moving = new Set(kept).difference(staying);
    this.#putUntil(staying, head);
    pieces.forEach((piece, index) => {
      if (piece.start > (pieces[index - 1]?.end ?? head)) {
        // A comment on lines of its own stands here, and stays.
        this.#needsBreak = piece.startNeedsBreak;
      }
      if (staying.has(index)) {
        this.#stay(piece, index);
        this.#putUntil(staying, piece.end);
      } else {
        this.#leaveOut(piece, this.#keepsRemarks && !moving.has(index));
      }
    });
    this.#closeAfter(pieces.at(-1)?.end ?? head, close);
    return this.#edits;
  }

  /** Puts the new and the moved items at an offset, up to the next one that stays. */
  #putUntil(staying: ReadonlySet<number>, offset: number): void {
    for (let slot = this.#slots[this.#done]; slot !== undefined; slot = this.#slots[this.#done]) {
      if ('keep' in slot && staying.has(slot.keep)) {
        return;
      }
      const piece = 'keep' in slot ? this.#parts.pieces[slot.keep] : undefined;
      const own = piece === undefined ? '' : this.#text.slice(piece.start, piece.nodeStart);
      const body = 'keep' in slot ? this.#bodyOf(slot.keep) : this.#newBody(slot);
      const after = piece === undefined ? '' : this.#afterNode(piece);
      const comma = this.#needsComma() ? ',' : '';
      const lead = this.#leadOr(own);
      this.#replace(offset, offset, `${lead}${body}${comma}${after}`);
      this.#needsBreak = piece?.needsBreak ?? false;
      this.#done += 1;
    }
  }

  #leaveOut(piece: Piece, keepsRemarks: boolean): void {
    const { start, nodeStart, nodeEnd, comma, end } = piece;
    if (!keepsRemarks || !hasRemarks(this.#text, piece)) {
      this.#replace(start, end, '');
      return;
    }
    if (this.#needsBreak && !/^[ \t]*[\r\n]/.test(this.#text.slice(start, nodeStart))) {
      // What stays is not to be swallowed by the line comment before it.
      this.#replace(start, start, this.#newLine(this.#style.indentation));
    }
    const isNear = comma !== undefined && this.#text.slice(nodeEnd, comma).trim() === '';
    const rest = isNear ? comma + 1 : nodeEnd;
    this.#replace(nodeStart, rest + (/^[ \t]*/.exec(this.#text.slice(rest, end))?.[0].length ?? 0), '');
    if (comma !== undefined && !isNear) {
      this.#replace(comma, comma + 1, '');
    }
    this.#needsBreak = piece.needsBreak;
  }

  #stay(piece: Piece, index: number): void {
    const lead = this.#text.slice(piece.start, piece.nodeStart);
    if (!/[\r\n]/.test(lead)) {
      const wasFirst = index === 0;
      const isFirst = this.#done === 0;
      if (this.#needsBreak || (wasFirst !== isFirst && lead.trim() === '')) {
        this.#replace(piece.start, piece.nodeStart, this.#leadOr(lead));
      }
    }
    const needsComma = this.#needsComma();
    if (needsComma && piece.comma === undefined) {
      this.#replace(piece.nodeEnd, piece.nodeEnd, ',');
    } else if (!needsComma && piece.comma !== undefined) {
      this.#replace(piece.comma, piece.comma + 1, '');
    }
    this.#needsBreak = piece.needsBreak;
    this.#done += 1;
  }

  /** The closing bracket: on a line of its own after the first item of what was empty, and after a line comment. */
  #closeAfter(from: number, close: number): void {
    const blanks = this.#text.slice(from, close);
    const endsLine = /^[ \t]*\r?\n/.test(blanks);
    const wasEmpty = this.#parts.pieces.length === 0;
    if ((this.#needsBreak && !endsLine) || (wasEmpty && this.#style.overLines)) {
      const line = this.#layout.endOfLine + indentationAt(this.#text, this.#container.start);
      this.#replace(from, close, line);
    }
  }

  /** The blanks and comments before an item that is put in: its own if they begin a line or hold a comment. */
  #leadOr(own: string): string {
    const { overLines, firstLead, lead, indentation } = this.#style;
    const begins = /[\r\n]/.test(own);
    if (own.trim() !== '' || (begins && overLines)) {
      return this.#needsBreak && !begins ? this.#newLine(indentation) + own.trimStart() : own;
    }
    if (overLines || this.#needsBreak) {
      return this.#newLine(indentation);
    }
    return this.#done === 0 ? firstLead : lead;
  }

  #newLine(indentation: string): string {
    return this.#layout.endOfLine + indentation;
  }

  #needsComma(): boolean {
    const hasTrailingComma = this.#parts.pieces.at(-1)?.comma !== undefined;
    return hasTrailingComma || this.#done < this.#slots.length - 1;
  }

  #bodyOf(index: number): string {
    const piece = this.#parts.pieces[index];
    return piece === undefined ? '' : this.#text.slice(piece.nodeStart, piece.nodeEnd);
  }

  /** What stands after an item on its line, without its comma. */
  #afterNode({ nodeEnd, comma, end }: Piece): string {
    return comma === undefined
      ? this.#text.slice(nodeEnd, end)
      : this.#text.slice(nodeEnd, comma) + this.#text.slice(comma + 1, end);
  }

  #newBody({ add, name }: Extract<Slot, { add: JsonValue }>): string {
    const { itemsOverLines, indentation } = this.#style;
    const value = itemsOverLines ? overLines(add, this.#layout, indentation) : onOneLine(add, this.#layout);
    return name === undefined
      ? value
      : `${JSON.stringify(name)}${this.#layout.isSpaced ? ': ' : ':'}${value}`;
  }

  #replace(start: number, end: number, newText: string): void {
    if (start !== end || newText !== '') {
      this.#edits.push({ start, end, newText });
    }
  }
}

function styleOf(text: string, container: Container, { pieces }: Pieces, layout: Layout): Style {
  const leadOf = ({ start, nodeStart }: Piece): string => text.slice(start, nodeStart);
  const ownLine = pieces.find((piece) => /[\r\n]/.test(leadOf(piece)));
  const isEmpty = pieces.length === 0;
  const blanks = (piece: Piece | undefined, usual: string): string =>
    piece === undefined || leadOf(piece).trim() !== '' ? usual : leadOf(piece);
  const base = indentationAt(text, container.start);
  return {
    overLines: isEmpty ? layout.hasLines : ownLine !== undefined,
    indentation: isEmpty ? base + layout.unit : ownLine === undefined ? base : lineStart(leadOf(ownLine)),
    firstLead: blanks(pieces[0], ''),
    lead: blanks(pieces[1], layout.isSpaced ? ' ' : ''),
    itemsOverLines: layout.hasLines && !hasItemsOnOneLine(text, container, ownLine === undefined),
  };
}

const lineStart = (lead: string): string => /[^\r\n]*$/.exec(lead)?.[0].match(/^[ \t]*/)?.[0] ?? '';

/** True where the arrays and objects among the items stand on one line each, or all items on the one line. */
function hasItemsOnOneLine(text: string, container: Container, onOneLine: boolean): boolean {
  const entries = entriesOf(container);
  const nested = entries.map(valueOfEntry).find((value) => value !== undefined && hasEntries(value));
  return nested === undefined
    ? onOneLine && entries.length > 0
    : !/[\r\n]/.test(text.slice(nested.start, nested.end));
}

const valueOfEntry = (entry: JsonMember | JsonNode): JsonNode | undefined =>
  'key' in entry ? entry.value : entry;

const hasEntries = (node: JsonNode): boolean => node.kind !== 'literal' && entriesOf(node).length > 0;
