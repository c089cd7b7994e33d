/** A key that is pressed with Ctrl, or with Command on a Mac. */
export type Shortcut = 'S' | 'Enter';

/** Whether the editor runs on a Mac, whose keys have other symbols. */
export const isMac = /\bMac/.test(navigator.userAgent);

/**
 * Returns the letter, in lower case, that is pressed with Ctrl, or with Command on a Mac; `undefined` for any other
 * key. A keyboard of another script has the letters of a US keyboard, as in VS Code: Ctrl+Z is Ctrl+Я on a Russian one.
 */
export function getShortcutLetter({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>): string | undefined {
  // On Windows, AltGr, which types other characters, is Ctrl and Alt.
  if ((!ctrlKey && !metaKey) || altKey || !/^\p{Letter}$/u.test(key)) {
    return undefined;
  }
  return (/^[a-z]$/i.test(key) ? key : /^Key([A-Z])$/.exec(code)?.[1])?.toLowerCase();
}

/** The tooltip of a button that has a shortcut, as in the toolbars of VS Code, and its attribute for screen readers. */
export const getShortcutAttributes = (label: string, shortcut: Shortcut) => ({
  title: isMac ? `${label} (⌘${shortcut})` : `${label} (Ctrl+${shortcut})`,
  'aria-keyshortcuts': isMac ? `Meta+${shortcut}` : `Control+${shortcut}`,
});
