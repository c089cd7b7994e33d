/** The elements that get the focus if no other element had it or can have it again, the most useful first. */
const mainControlSelectors = [
  '[data-main]:not(:disabled)',
  '[role="grid"] [tabindex="0"]',
  '[role="grid"][tabindex="0"]',
  'main :is(input, select, textarea, vscode-textfield, button):not(:disabled)',
];

/**
 * Restores the focus to the element that last had it when the page gets the focus again. Browsers forget the focused
 * element when the focus leaves a webview, as for every quick pick, and keyboard users would have to start at the top.
 */
export function restoreFocusOnReturn(): void {
  let lastFocused: HTMLElement | undefined;
  /**
   * True if the user has pressed the pointer on the page since the page last lost the focus: the focus then returns
   * because of a click.
   */
  let isClicked = false;
  document.addEventListener('pointerdown', () => (isClicked = true), { capture: true });
  window.addEventListener('blur', () => (isClicked = false));
  document.addEventListener('focusin', ({ target }) => {
    lastFocused = target instanceof HTMLElement ? target : undefined;
  });
  window.addEventListener('focus', () => {
    if (lastFocused?.isConnected === true && document.activeElement === document.body) {
      lastFocused.focus({ preventScroll: true });
    }
    // The last focused element may be disabled by now. A click needs no help: it focuses the clicked element.
    if (!isClicked) {
      focusMainControl();
    }
  });
}

/** Focuses the main control of the page if the page has the focus but none of its elements. */
export function focusMainControl(): void {
  if (document.hasFocus() && document.activeElement === document.body) {
    mainControlSelectors
      .map((selector) => document.querySelector<HTMLElement>(selector))
      .find((element) => element !== null)
      ?.focus({ preventScroll: true });
  }
}
