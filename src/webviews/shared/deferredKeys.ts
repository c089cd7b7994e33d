/** The number of edits made by the page, and whether the first of them are done. */
interface EditTracker {
  readonly editCount: number;
  hasConfirmed(count: number): boolean;
}

/** Undo, redo and save: editor keys that refer to the document as displayed. */
const isDocumentKey = ({ ctrlKey, metaKey, key }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && ['z', 'y', 's'].includes(key.toLowerCase());

/**
 * Keeps undo, redo and save from overtaking what was typed before them: the editor would undo an older keystroke, or
 * save without the last ones. Held keys are dispatched again by `release`, which must be called whenever edits may be
 * done.
 */
export function deferDocumentKeys(edits: EditTracker): { release(): void } {
  let held: readonly { readonly event: KeyboardEvent; readonly after: number }[] = [];
  const again = new WeakSet<Event>();
  window.addEventListener(
    'keydown',
    (event) => {
      if (again.has(event) || !isDocumentKey(event)) {
        return;
      }
      if (held.length > 0 || !edits.hasConfirmed(edits.editCount)) {
        // Runs before the editor's own listener, which forwards keys to the window.
        event.preventDefault();
        event.stopImmediatePropagation();
        held = [...held, { event, after: edits.editCount }];
      }
    },
    { capture: true },
  );
  return {
    release() {
      const still = held.findIndex(({ after }) => !edits.hasConfirmed(after));
      const due = still < 0 ? held : held.slice(0, still);
      held = held.slice(due.length);
      for (const { event } of due) {
        const pressed = new KeyboardEvent(event.type, event);
        again.add(pressed);
        (event.target ?? window).dispatchEvent(pressed);
      }
    },
  };
}
