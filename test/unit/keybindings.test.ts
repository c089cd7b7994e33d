import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chordPrefix, isChordPrefix } from '../../src/webviews/protocol/chordPrefix.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
  readonly when?: string;
}

const { contributes } = JSON.parse(read('package.json'));
const keybindings: readonly Keybinding[] = contributes.keybindings;
const chords = keybindings.filter(({ key }) => key.includes(' '));
const titles: Readonly<Record<string, string>> = JSON.parse(read('package.nls.json'));

/**
 * The label of a command in the palette, without its ellipsis; VS Code itself creates the commands that focus a view.
 */
function getLabel(command: string): string {
  const entry = contributes.commands.find((candidate: { command: string }) => candidate.command === command);
  return entry === undefined
    ? 'Focus on Connections View'
    : (titles[entry.title.slice(1, -1)] ?? '').replace('…', '');
}

test('a keybinding without a condition is a chord whose first key is the one that pages recognize', () => {
  const unconditional = keybindings.filter(({ when }) => when === undefined);
  expect(unconditional).toEqual(chords);
  expect(chords.length).toBeGreaterThanOrEqual(10);
  for (const { command, key, mac } of chords) {
    const [first, second, ...rest] = key.split(' ');
    expect(first, command).toBe(chordPrefix.key);
    expect(second, command).toMatch(/^(?:shift\+)?[a-z]$/);
    expect(rest).toEqual([]);
    expect(mac, command).toBe(`${chordPrefix.mac} ${second}`);
  }
  expect(new Set(chords.map(({ key }) => key)).size).toBe(chords.length);
});

test('every keybinding with Ctrl has one for the Mac, and runs a command that exists', () => {
  const commands = new Set(contributes.commands.map(({ command }: { command: string }) => command));
  const viewIds: readonly string[] = contributes.views.datamodelStudio.map(({ id }: { id: string }) => id);
  for (const { command, key, mac } of keybindings) {
    expect(key.includes('ctrl+') && mac === undefined, key).toBe(false);
    expect(commands.has(command) || viewIds.some((id) => command === `${id}.focus`), command).toBe(true);
  }
});

test('the reference lists the keybindings', () => {
  const rows = [...read('docs/reference.md').matchAll(/^\| `(Ctrl\+Alt\+J [^`]+)` \| (.+?) \|$/gm)];
  expect(rows.map(([, keys, label]) => `${keys?.toLowerCase()}: ${label}`)).toEqual(
    chords.map(({ key, command }) => `${key}: ${getLabel(command)}`),
  );
});

test('a page recognizes the first key of the chords on every keyboard layout, and no other key', () => {
  const key = { key: 'j', code: 'KeyJ', ctrlKey: true, metaKey: false, altKey: true, shiftKey: false };
  expect(isChordPrefix(key)).toBe(true);
  expect(isChordPrefix({ ...key, key: '∆', ctrlKey: false, metaKey: true })).toBe(true);
  // On a keyboard layout that has the letter on another key.
  expect(isChordPrefix({ ...key, code: 'KeyC' })).toBe(true);
  expect(isChordPrefix({ ...key, key: 'k', code: 'KeyK' })).toBe(false);
  expect(isChordPrefix({ ...key, altKey: false })).toBe(false);
  expect(isChordPrefix({ ...key, shiftKey: true })).toBe(false);
  expect(isChordPrefix({ ...key, ctrlKey: false })).toBe(false);
});
