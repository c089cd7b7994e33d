/**
 * Restores the focus to the element that had it. The browser drops it when the focus moves from a webview to the
 * editor, as for every quick pick: keyboard users would have to start again at the top of the page.
 */
export function restoreFocusOnReturn(): void {
  let last: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? target : undefined;
  });
  window.addEventListener('focus', () => {
    if (last?.isConnected === true && document.activeElement === document.body) {
      last.focus({ preventScroll: true });
    }
  });
}
