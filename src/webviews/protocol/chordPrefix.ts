/**
 * The first key of the extension's own keybindings, as written in the manifest. The second key is a plain letter, which
 * pages must leave to the editor.
 */
export const chordPrefix = { key: 'ctrl+alt+j', mac: 'cmd+alt+j' } as const;

/** The letter of the first key. */
const prefixLetter = 'j';

/** Returns whether a key event is the first key of a keybinding. On a Mac, Alt changes `key`; `code` stays the same. */
export const isChordPrefix = (
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): boolean =>
  event.altKey &&
  !event.shiftKey &&
  event.ctrlKey !== event.metaKey &&
  (event.key.toLowerCase() === prefixLetter || event.code === 'KeyJ');
