import type { RefObject } from 'preact';
import { useVirtualItems, type VirtualItems } from './useVirtualItems.ts';

/** Virtualizes a vertical list whose rows all have the same height, in pixels. */
export const useVirtualRows = (
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): VirtualItems => useVirtualItems(scroller, { count, size: rowHeight });
