import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';

/** The rows on the screen of a list whose rows are all of one height, and the height of all of them. */
export interface VirtualRows {
  readonly items: readonly VirtualItem[];
  readonly totalSize: number;
  /** Scrolls until a row is on the screen. */
  reveal(index: number): void;
}

const overscan = 8;

export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): VirtualRows {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const options = {
    count,
    overscan,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
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
