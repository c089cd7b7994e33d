/**
 * Restores the focus to the element that last had it when the page gets the focus again. Browsers forget the focused
 * element when the focus leaves a webview, as for every quick pick, and keyboard users would have to start at the top.
 */
export function restoreFocusOnReturn(): void {
  let lastFocused: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target }) => {
    lastFocused = target instanceof HTMLElement ? target : undefined;
  });
  window.addEventListener('focus', () => {
    if (lastFocused?.isConnected === true && document.activeElement === document.body) {
      lastFocused.focus({ preventScroll: true });
    }
  });
}
