/** A key that is pressed with Ctrl, or with Command on a Mac. */
export type Shortcut = 'S' | 'Enter';

const isMac = /\bMac/.test(navigator.userAgent);

/** The tooltip of a button that has a shortcut, as in the toolbars of VS Code, and its attribute for screen readers. */
export const getShortcutAttributes = (label: string, shortcut: Shortcut) => ({
  title: isMac ? `${label} (⌘${shortcut})` : `${label} (Ctrl+${shortcut})`,
  'aria-keyshortcuts': isMac ? `Meta+${shortcut}` : `Control+${shortcut}`,
});
