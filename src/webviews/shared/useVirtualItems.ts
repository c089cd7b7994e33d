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

/** The visible rows or columns of a list whose items all have the same size. Sizes are in pixels. */
export interface VirtualItems {
  readonly items: readonly VirtualItem[];
  readonly totalSize: number;
  /** Scrolls until an item is visible. */
  reveal(index: number): void;
}

interface VirtualOptions {
  readonly count: number;
  readonly size: number;
  /** True for columns. */
  readonly horizontal?: boolean;
  /** The size of the sticky header, which covers items scrolled below it. */
  readonly headerSize?: number;
  /** The number of items rendered before and after the visible ones. */
  readonly overscan?: number;
  /** The index of an item that is always rendered, because it has the focus. */
  readonly keptIndex?: number | undefined;
}

export function useVirtualItems(
  scroller: RefObject<HTMLElement | null>,
  { count, size, horizontal = false, headerSize = 0, overscan = 8, keptIndex }: VirtualOptions,
): VirtualItems {
  const [, redraw] = useReducer((renderCount: number) => renderCount + 1, 0);
  const options = {
    count,
    horizontal,
    overscan,
    paddingStart: headerSize,
    scrollPaddingStart: headerSize,
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
  // The library has an adapter for React, but none for Preact. These calls are those of the adapter.
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    items: virtualizer.getVirtualItems(),
    totalSize: virtualizer.getTotalSize(),
    reveal: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}

function includeKeptIndex(indexes: number[], keptIndex: number | undefined, count: number): number[] {
  return keptIndex === undefined || keptIndex < 0 || keptIndex >= count || indexes.includes(keptIndex)
    ? indexes
    : [...indexes, keptIndex].sort((a, b) => a - b);
}
