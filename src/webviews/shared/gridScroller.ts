import type { TargetedFocusEvent } from 'preact';

/**
 * The attributes of the scrolling part of a grid. Browsers let Tab stop at an element that scrolls, where no key of the
 * grid would work; `tabIndex` prevents that. A click would focus it then, so it passes the focus on to the grid.
 */
export const gridScrollerAttributes = {
  tabIndex: -1,
  onFocus: ({ currentTarget }: TargetedFocusEvent<HTMLElement>): void =>
    currentTarget.closest<HTMLElement>('[role="grid"]')?.focus(),
} as const;
