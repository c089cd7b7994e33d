import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Moves the focus to the next row when the focused one disappears because of an action, or to the first button of the
 * container if no row is left. Otherwise, keyboard users would have to start at the top. Rows have the attribute
 * `data-row`.
 * @param content the data that the container displays; rows may have disappeared when it changes
 * @returns a function to call before each action
 */
export function useRowFocus(container: RefObject<HTMLElement | null>, content: unknown): () => void {
  const focusBeforeAction = useRef<{ readonly element: Element | null; readonly rowIndex: number }>(
    undefined,
  );
  const getRows = (): readonly HTMLElement[] => [
    ...(container.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
  ];
  useLayoutEffect(() => {
    const { element = null, rowIndex = 0 } = focusBeforeAction.current ?? {};
    const isFocusLost =
      document.activeElement === document.body || document.activeElement?.matches(':disabled') === true;
    // The focus must not be taken from another part of the editor.
    if (element === null || canHaveFocus(element) || !isFocusLost || !document.hasFocus()) {
      return;
    }
    focusBeforeAction.current = undefined;
    const rows = getRows().filter((row) => row.checkVisibility());
    const row = rows[Math.min(rowIndex, rows.length - 1)];
    (row ?? container.current)?.querySelector<HTMLElement>('button:enabled')?.focus();
  }, [content]);
  return () => {
    const { activeElement } = document;
    const rowIndex = getRows().findIndex((row) => row.contains(activeElement));
    focusBeforeAction.current = { element: activeElement, rowIndex: Math.max(0, rowIndex) };
  };
}

const canHaveFocus = (element: Element): boolean => element.isConnected && !element.matches(':disabled');
