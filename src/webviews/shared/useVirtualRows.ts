import type { RefObject } from 'preact';
import { useVirtualItems, type VirtualItems } from './useVirtualItems.ts';

/** The rows on the screen of a list whose rows are all of one height. */
export const useVirtualRows = (
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): VirtualItems => useVirtualItems(scroller, { count, size: rowHeight });
