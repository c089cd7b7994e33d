import { expect, test } from 'vitest';
import { getShortcutLetter } from '../../../src/webviews/shared/shortcuts.ts';

const noModifiers = { ctrlKey: false, metaKey: false, altKey: false };

test.each([
  ['the letter of a key', { key: 's', code: 'KeyS', ctrlKey: true }, 's'],
  ['the letter of a key on a Mac', { key: 's', code: 'KeyS', metaKey: true }, 's'],
  ['a letter with Shift or Caps Lock', { key: 'Z', code: 'KeyZ', ctrlKey: true }, 'z'],
  ['a letter in another place', { key: 'a', code: 'KeyQ', ctrlKey: true }, 'a'],
  ['a letter of another script', { key: 'я', code: 'KeyZ', ctrlKey: true }, 'z'],
  [
    'a letter of another script on a key without a Latin one',
    { key: 'х', code: 'BracketLeft', ctrlKey: true },
  ],
  ['a letter without Ctrl', { key: 'z', code: 'KeyZ' }],
  ['a letter with AltGr', { key: 'ż', code: 'KeyZ', ctrlKey: true, altKey: true }],
  ['another character', { key: '/', code: 'KeyZ', ctrlKey: true }],
  ['another key', { key: 'Enter', code: 'Enter', ctrlKey: true }],
])(
  'a shortcut has its letter on any keyboard layout, and nothing else is one: %s',
  (_name, event, letter?: string) => {
    expect(getShortcutLetter({ ...noModifiers, ...event })).toBe(letter);
  },
);
