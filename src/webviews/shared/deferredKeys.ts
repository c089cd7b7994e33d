/** Counts the edits of the page, and reports whether the host has confirmed the first `count` of them. */
interface EditTracker {
  readonly editCount: number;
  hasConfirmed(count: number): boolean;
}

/** True for the keys of undo, redo and save, which must act on the document as displayed. */
const isDocumentKey = ({ ctrlKey, metaKey, key }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && ['z', 'y', 's'].includes(key.toLowerCase());

/**
 * Delays undo, redo and save until the host has confirmed the edits made before them. Otherwise, the editor would undo
 * an older edit, or save without the latest ones. `release` dispatches the delayed keys again; call it whenever edits
 * may have been confirmed.
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
        // This listener runs before the one of VS Code, which forwards keys to the workbench.
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
