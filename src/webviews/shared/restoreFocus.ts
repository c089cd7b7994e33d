/**
 * Gives the focus back to what had it. The browser drops it when it goes from a webview to the editor, as it does for
 * every quick pick: whoever came back with the keyboard would begin at the start of the page.
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
