import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';

/** The rows or columns on the screen of a list that are all of one size, and the size of all of them. */
export interface VirtualItems {
  readonly items: readonly VirtualItem[];
  readonly totalSize: number;
  /** Scrolls until one is on the screen. */
  reveal(index: number): void;
}

interface VirtualOptions {
  readonly count: number;
  readonly size: number;
  /** True for columns. */
  readonly horizontal?: boolean;
  /** What stays in place before the first, and covers what is scrolled below it. */
  readonly head?: number;
  /** How many beyond the edges are there before they are scrolled to. */
  readonly overscan?: number;
  /** One that is there wherever the list is scrolled to, since it has the focus. */
  readonly keptIndex?: number | undefined;
}

export function useVirtualItems(
  scroller: RefObject<HTMLElement | null>,
  { count, size, horizontal = false, head = 0, overscan = 8, keptIndex }: VirtualOptions,
): VirtualItems {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const options = {
    count,
    horizontal,
    overscan,
    paddingStart: head,
    scrollPaddingStart: head,
    getScrollElement: () => scroller.current,
    estimateSize: () => size,
    rangeExtractor: (range: Range) => includeKeptIndex(defaultRangeExtractor(range), keptIndex, count),
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(undefined),
  };
  const virtualizer = useMemo(() => new Virtualizer<HTMLElement, HTMLElement>(options), []);
  virtualizer.setOptions(options);
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    items: virtualizer.getVirtualItems(),
    totalSize: virtualizer.getTotalSize(),
    reveal: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}

function includeKeptIndex(indexes: number[], kept: number | undefined, count: number): number[] {
  return kept === undefined || kept < 0 || kept >= count || indexes.includes(kept)
    ? indexes
    : [...indexes, kept].sort((a, b) => a - b);
}
