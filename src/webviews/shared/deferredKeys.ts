import { getShortcutLetter } from './shortcuts.ts';

/** Counts the edits of the page, and reports whether the host has confirmed the first `count` of them. */
interface EditTracker {
  readonly editCount: number;
  hasConfirmed(count: number): boolean;
}

/** True for the keys of undo, redo and save, which must act on the document as displayed. */
const isUndoOrSaveShortcut = (event: KeyboardEvent): boolean =>
  ['z', 'y', 's'].includes(getShortcutLetter(event) ?? '');

/**
 * Delays undo, redo and save until the host has confirmed the edits made before them. Otherwise, the editor would undo
 * an older edit, or save without the latest ones. `release` dispatches the delayed keys again; call it whenever edits
 * may have been confirmed.
 */
export function deferUndoAndSaveShortcuts(tracker: EditTracker): { release(): void } {
  let delayedKeys: readonly { readonly event: KeyboardEvent; readonly requiredEditCount: number }[] = [];
  const redispatchedEvents = new WeakSet<Event>();
  window.addEventListener(
    'keydown',
    (event) => {
      if (redispatchedEvents.has(event) || !isUndoOrSaveShortcut(event)) {
        return;
      }
      if (delayedKeys.length > 0 || !tracker.hasConfirmed(tracker.editCount)) {
        // This listener runs before the one of VS Code, which forwards keys to the workbench.
        event.preventDefault();
        event.stopImmediatePropagation();
        delayedKeys = [...delayedKeys, { event, requiredEditCount: tracker.editCount }];
      }
    },
    { capture: true },
  );
  return {
    release() {
      const firstBlockedIndex = delayedKeys.findIndex(
        ({ requiredEditCount }) => !tracker.hasConfirmed(requiredEditCount),
      );
      const readyKeys = firstBlockedIndex < 0 ? delayedKeys : delayedKeys.slice(0, firstBlockedIndex);
      delayedKeys = delayedKeys.slice(readyKeys.length);
      for (const { event } of readyKeys) {
        const redispatchedEvent = new KeyboardEvent(event.type, event);
        redispatchedEvents.add(redispatchedEvent);
        (event.target ?? window).dispatchEvent(redispatchedEvent);
      }
    },
  };
}
