import type { TargetedFocusEvent } from 'preact';

/**
 * The attributes of the scrolling part of a grid. Without `tabIndex`, Tab would stop at the element because it scrolls,
 * and the keys of the grid would not work there. With it, a click focuses the element, so `onFocus` moves the focus to
 * the grid.
 */
export const gridScrollerAttributes = {
  tabIndex: -1,
  onFocus: ({ currentTarget }: TargetedFocusEvent<HTMLElement>): void =>
    currentTarget.closest<HTMLElement>('[role="grid"]')?.focus(),
} as const;
