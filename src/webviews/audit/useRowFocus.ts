import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Moves the focus to the next row when the focused one disappears because of an action, or to the first button of the
 * page if no row is left. Otherwise, keyboard users would have to start at the top. Rows have the attribute `data-row`.
 * @param content the data that the page displays; rows may have disappeared when it changes
 * @returns a function to call before each action
 */
export function useRowFocus(page: RefObject<HTMLElement | null>, content: unknown): () => void {
  const actionIndex = useRef<number | undefined>(undefined);
  const getRows = (): readonly HTMLElement[] => [
    ...(page.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
  ];
  useLayoutEffect(() => {
    const index = actionIndex.current;
    if (index === undefined || !isFocusLost()) {
      return;
    }
    actionIndex.current = undefined;
    const rows = getRows().filter((row) => row.checkVisibility());
    const row = rows[Math.min(index, rows.length - 1)];
    (row ?? page.current)?.querySelector<HTMLElement>('button:enabled')?.focus();
  }, [content]);
  return () => {
    actionIndex.current = Math.max(
      0,
      getRows().findIndex((row) => row.contains(document.activeElement)),
    );
  };
}

const isFocusLost = (): boolean =>
  document.activeElement === document.body || document.activeElement?.matches(':disabled') === true;
