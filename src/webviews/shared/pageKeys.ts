import { isChordPrefix } from '../protocol/chordPrefix.ts';
import { getShortcutLetter } from './shortcuts.ts';

/** The time after which the editor no longer waits for the second key of a keybinding. */
const chordTimeoutMs = 5000;

const modifierKeys: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta']);

/**
 * Handles the keys that every page leaves to the editor or to an input method, or that the editor must not get. Call it
 * once per page.
 */
export function handlePageKeys(): void {
  leaveKeysToInputMethod();
  leaveChordsToEditor();
  limitSelectAllToText();
}

/**
 * Leaves keys to the input method while it composes a text, such as Japanese. Otherwise Enter, which accepts the
 * composed text, would also accept an unfinished value, and Escape would discard all that was typed.
 */
function leaveKeysToInputMethod(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.isComposing) {
        event.stopImmediatePropagation();
      }
    },
    { capture: true },
  );
}

/**
 * Leaves the second key of the extension's own keybindings to the editor: otherwise it would also be typed into a
 * field, or handled by a grid, which keeps it from the editor.
 */
function leaveChordsToEditor(): void {
  let prefixTime: number | undefined;
  window.addEventListener(
    'keydown',
    (event) => {
      if (isChordPrefix(event)) {
        prefixTime = event.timeStamp;
        return;
      }
      if (prefixTime === undefined || modifierKeys.has(event.key)) {
        return;
      }
      const isSecondKey = event.timeStamp - prefixTime < chordTimeoutMs;
      prefixTime = undefined;
      if (isSecondKey) {
        event.preventDefault();
        event.stopImmediatePropagation();
        // Dispatched on the window, where the editor listens, but not the elements of the page.
        window.dispatchEvent(new KeyboardEvent(event.type, event));
      }
    },
    { capture: true },
  );
}

/** Keeps Ctrl+A on a button or list from selecting the text of the whole page. */
function limitSelectAllToText(): void {
  // Called after the elements of the page, and before the editor, which listens on the window and would select as well.
  document.addEventListener('keydown', (event) => {
    const [target] = event.composedPath();
    if (getShortcutLetter(event) === 'a' && target instanceof HTMLElement && isControlWithoutText(target)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

const isControlWithoutText = (element: HTMLElement): boolean =>
  element !== document.body &&
  element !== document.documentElement &&
  !element.isContentEditable &&
  !(element instanceof HTMLTextAreaElement) &&
  !(element instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(element.type));
