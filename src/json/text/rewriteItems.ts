import type { JsonValue } from '../../base/json.ts';
import { getIndentation, type JsonLayout, formatSingleLine, formatMultiline } from './layout.ts';
import { type Container, getEntries, type JsonMember, type JsonNode } from './jsonNode.ts';
import { longestIncreasingSubsequence } from './longestIncreasingSubsequence.ts';
import { type EntryRegion, type ContainerRegions, splitContainer } from './entryRegions.ts';
import type { TextEdit } from '../../base/textEdit.ts';

/** One entry of the new array or object: an existing entry to keep, by index, or a new one to add. */
export type Slot =
  | { readonly keptIndex: number }
  | {
      readonly newValue: JsonValue;
      /** The key, in an object. */
      readonly name?: string;
    };

/** Options for rewriting a text. */
export interface RewriteOptions {
  readonly layout: JsonLayout;
  /** True if comments beside an item stay when the item is removed. */
  readonly keepsComments: boolean;
}

/** The formatting style of the items of an array or object. */
interface ItemStyle {
  readonly isMultiline: boolean;
  readonly indentation: string;
  /** Whitespace before the first item, if items do not start on new lines. */
  readonly firstSeparator: string;
  readonly separator: string;
  readonly hasMultilineItems: boolean;
}

/**
 * Creates the edits that reorder, remove and insert items of an array or object. Items that keep their relative order
 * are not touched, commas are adjusted, and comments on separate lines stay where they are.
 */
export function rewriteItems(
  text: string,
  container: Container,
  slots: readonly Slot[],
  options: RewriteOptions,
): readonly TextEdit[] {
  const containerRegions = splitContainer(text, container);
  const openEnd = container.start + 1;
  const removesComments =
    !options.keepsComments || containerRegions.regions.every((region) => !hasComments(text, region));
  if (slots.length === 0 && removesComments && isBlankWithoutItems(text, openEnd, containerRegions)) {
    return [{ start: openEnd, end: containerRegions.closeOffset, newText: '' }];
  }
  return new ContainerRewriter(text, container, containerRegions, slots, options).createEdits();
}

/** True if only whitespace would remain between the brackets without the items. */
function isBlankWithoutItems(
  text: string,
  openEnd: number,
  { regions, closeOffset }: ContainerRegions,
): boolean {
  const gaps = [...regions.map(({ start }) => start), closeOffset].map((end, index) =>
    text.slice(regions[index - 1]?.end ?? openEnd, end),
  );
  return gaps.every((gap) => gap.trim() === '');
}

const hasComments = (text: string, { start, nodeStart, nodeEnd, end }: EntryRegion): boolean =>
  text.slice(start, nodeStart).trim() !== '' || !/^[\s,]*$/.test(text.slice(nodeEnd, end));

class ContainerRewriter {
  readonly #text: string;
  readonly #container: Container;
  readonly #containerRegions: ContainerRegions;
  readonly #slots: readonly Slot[];
  readonly #layout: JsonLayout;
  readonly #keepsComments: boolean;
  readonly #style: ItemStyle;
  readonly #edits: TextEdit[] = [];
  /** True while the output ends with a line comment. */
  #needsLineBreak: boolean;
  /** The number of items written to the output so far. */
  #writtenCount = 0;

  constructor(
    text: string,
    container: Container,
    containerRegions: ContainerRegions,
    slots: readonly Slot[],
    { layout, keepsComments }: RewriteOptions,
  ) {
    this.#text = text;
    this.#container = container;
    this.#containerRegions = containerRegions;
    this.#slots = slots;
    this.#layout = layout;
    this.#keepsComments = keepsComments;
    this.#style = detectStyle(text, container, containerRegions, layout);
    this.#needsLineBreak = containerRegions.contentStartNeedsLineBreak;
  }

  createEdits(): readonly TextEdit[] {
    const { regions, contentStart, closeOffset } = this.#containerRegions;
    const keptIndexes = this.#slots.flatMap((slot) => ('keptIndex' in slot ? [slot.keptIndex] : []));
    const unmovedIndexes = new Set(longestIncreasingSubsequence(keptIndexes));
    const movedIndexes = new Set(keptIndexes).difference(unmovedIndexes);
    this.#insertUpToNextUnmoved(unmovedIndexes, contentStart);
    regions.forEach((region, index) => {
      if (region.start > (regions[index - 1]?.end ?? contentStart)) {
        // A comment on a separate line precedes the item. It is kept, so it is now the end of the output.
        this.#needsLineBreak = region.startNeedsLineBreak;
      }
      if (unmovedIndexes.has(index)) {
        this.#keepItem(region, index);
        this.#insertUpToNextUnmoved(unmovedIndexes, region.end);
      } else {
        this.#removeItem(region, this.#keepsComments && !movedIndexes.has(index));
      }
    });
    this.#closeContainer(regions.at(-1)?.end ?? contentStart, closeOffset);
    return this.#edits;
  }

  /** Inserts the new and moved items at an offset, up to the next item that is not moved. */
  #insertUpToNextUnmoved(unmovedIndexes: ReadonlySet<number>, offset: number): void {
    for (
      let slot = this.#slots[this.#writtenCount];
      slot !== undefined;
      slot = this.#slots[this.#writtenCount]
    ) {
      if ('keptIndex' in slot && unmovedIndexes.has(slot.keptIndex)) {
        return;
      }
      const region = 'keptIndex' in slot ? this.#containerRegions.regions[slot.keptIndex] : undefined;
      const ownLeadingText = region === undefined ? '' : this.#text.slice(region.start, region.nodeStart);
      const itemText = 'keptIndex' in slot ? this.#getItemText(slot.keptIndex) : this.#formatNewItem(slot);
      const trailingText = region === undefined ? '' : this.#getTrailingText(region);
      const comma = this.#needsComma() ? ',' : '';
      const leadingText = this.#getLeadingText(ownLeadingText);
      this.#replace(offset, offset, `${leadingText}${itemText}${comma}${trailingText}`);
      this.#needsLineBreak = region?.needsLineBreak ?? false;
      this.#writtenCount += 1;
    }
  }

  #removeItem(region: EntryRegion, keepsComments: boolean): void {
    const { start, nodeStart, nodeEnd, commaOffset, end } = region;
    if (!keepsComments || !hasComments(this.#text, region)) {
      this.#replace(start, end, '');
      return;
    }
    if (this.#needsLineBreak && !/^[ \t]*[\r\n]/.test(this.#text.slice(start, nodeStart))) {
      // Otherwise the remaining comment of this item would become part of the line comment before it.
      this.#replace(start, start, this.#createLineBreak(this.#style.indentation));
    }
    const isCommaAdjacent = commaOffset !== undefined && this.#text.slice(nodeEnd, commaOffset).trim() === '';
    const restStart = isCommaAdjacent ? commaOffset + 1 : nodeEnd;
    this.#replace(
      nodeStart,
      restStart + (/^[ \t]*/.exec(this.#text.slice(restStart, end))?.[0].length ?? 0),
      '',
    );
    if (commaOffset !== undefined && !isCommaAdjacent) {
      this.#replace(commaOffset, commaOffset + 1, '');
    }
    this.#needsLineBreak = region.needsLineBreak;
  }

  #keepItem(region: EntryRegion, index: number): void {
    const leadingText = this.#text.slice(region.start, region.nodeStart);
    if (!/[\r\n]/.test(leadingText)) {
      const wasFirst = index === 0;
      const isFirst = this.#writtenCount === 0;
      if (this.#needsLineBreak || (wasFirst !== isFirst && leadingText.trim() === '')) {
        this.#replace(region.start, region.nodeStart, this.#getLeadingText(leadingText));
      }
    }
    const needsComma = this.#needsComma();
    if (needsComma && region.commaOffset === undefined) {
      this.#replace(region.nodeEnd, region.nodeEnd, ',');
    } else if (!needsComma && region.commaOffset !== undefined) {
      this.#replace(region.commaOffset, region.commaOffset + 1, '');
    }
    this.#needsLineBreak = region.needsLineBreak;
    this.#writtenCount += 1;
  }

  /**
   * Moves the closing bracket to a new line if the output ends with a line comment, or if the container was empty and
   * its new items are on separate lines.
   */
  #closeContainer(contentEnd: number, closeOffset: number): void {
    const whitespace = this.#text.slice(contentEnd, closeOffset);
    const startsWithLineBreak = /^[ \t]*\r?\n/.test(whitespace);
    const wasEmpty = this.#containerRegions.regions.length === 0;
    if ((this.#needsLineBreak && !startsWithLineBreak) || (wasEmpty && this.#style.isMultiline)) {
      const closingLineBreak = this.#layout.endOfLine + getIndentation(this.#text, this.#container.start);
      this.#replace(contentEnd, closeOffset, closingLineBreak);
    }
  }

  /**
   * Returns the whitespace and comments to write before an inserted item: those of the item itself if they begin on a
   * new line or contain a comment, otherwise the usual separator.
   */
  #getLeadingText(ownLeadingText: string): string {
    const { isMultiline, firstSeparator, separator, indentation } = this.#style;
    const startsOnNewLine = /[\r\n]/.test(ownLeadingText);
    if (ownLeadingText.trim() !== '' || (startsOnNewLine && isMultiline)) {
      return this.#needsLineBreak && !startsOnNewLine
        ? this.#createLineBreak(indentation) + ownLeadingText.trimStart()
        : ownLeadingText;
    }
    if (isMultiline || this.#needsLineBreak) {
      return this.#createLineBreak(indentation);
    }
    return this.#writtenCount === 0 ? firstSeparator : separator;
  }

  #createLineBreak(indentation: string): string {
    return this.#layout.endOfLine + indentation;
  }

  #needsComma(): boolean {
    const hasTrailingComma = this.#containerRegions.regions.at(-1)?.commaOffset !== undefined;
    return hasTrailingComma || this.#writtenCount < this.#slots.length - 1;
  }

  #getItemText(index: number): string {
    const region = this.#containerRegions.regions[index];
    return region === undefined ? '' : this.#text.slice(region.nodeStart, region.nodeEnd);
  }

  /** Returns the text after an item in its region, without the comma. */
  #getTrailingText({ nodeEnd, commaOffset, end }: EntryRegion): string {
    return commaOffset === undefined
      ? this.#text.slice(nodeEnd, end)
      : this.#text.slice(nodeEnd, commaOffset) + this.#text.slice(commaOffset + 1, end);
  }

  #formatNewItem({ newValue, name }: Extract<Slot, { newValue: JsonValue }>): string {
    const { hasMultilineItems, indentation } = this.#style;
    const value = hasMultilineItems
      ? formatMultiline(newValue, this.#layout, indentation)
      : formatSingleLine(newValue, this.#layout);
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

function detectStyle(
  text: string,
  container: Container,
  { regions }: ContainerRegions,
  layout: JsonLayout,
): ItemStyle {
  const getLeadingText = ({ start, nodeStart }: EntryRegion): string => text.slice(start, nodeStart);
  const regionOnOwnLine = regions.find((region) => /[\r\n]/.test(getLeadingText(region)));
  const isEmpty = regions.length === 0;
  const getWhitespace = (region: EntryRegion | undefined, fallback: string): string =>
    region === undefined || getLeadingText(region).trim() !== '' ? fallback : getLeadingText(region);
  const containerIndentation = getIndentation(text, container.start);
  return {
    isMultiline: isEmpty ? layout.isMultiline : regionOnOwnLine !== undefined,
    indentation: isEmpty
      ? containerIndentation + layout.indentUnit
      : regionOnOwnLine === undefined
        ? containerIndentation
        : getLineIndentation(getLeadingText(regionOnOwnLine)),
    firstSeparator: getWhitespace(regions[0], ''),
    separator: getWhitespace(regions[1], layout.isSpaced ? ' ' : ''),
    hasMultilineItems:
      layout.isMultiline && !hasItemsOnOneLine(text, container, regionOnOwnLine === undefined),
  };
}

const getLineIndentation = (leadingText: string): string =>
  /[^\r\n]*$/.exec(leadingText)?.[0].match(/^[ \t]*/)?.[0] ?? '';

/**
 * True if nested arrays and objects are on one line, judging by the first; without any, if all items are on one line.
 */
function hasItemsOnOneLine(text: string, container: Container, areItemsOnOneLine: boolean): boolean {
  const entries = getEntries(container);
  const nestedValue = entries.map(getEntryValue).find((value) => value !== undefined && hasEntries(value));
  return nestedValue === undefined
    ? areItemsOnOneLine && entries.length > 0
    : !/[\r\n]/.test(text.slice(nestedValue.start, nestedValue.end));
}

const getEntryValue = (entry: JsonMember | JsonNode): JsonNode | undefined =>
  'key' in entry ? entry.value : entry;

const hasEntries = (node: JsonNode): boolean => node.kind !== 'literal' && getEntries(node).length > 0;
