import type { RefObject } from 'preact';
import { useVirtualItems, type VirtualItems } from './useVirtualItems.ts';

/** The visible rows of a list whose rows all have the same height. */
export const useVirtualRows = (
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): VirtualItems => useVirtualItems(scroller, { count, size: rowHeight });
