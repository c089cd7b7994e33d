import { expect, it } from 'vitest';
import { findDesktopEditor, hasDisplay, startDesktop } from '../../../src/launcher/desktop.ts';
import { findExecutable } from '../../../src/launcher/executables.ts';

it('a window needs a display on Linux only', () => {
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
});

it('in the terminal of a remote window, no desktop editor is found', () => {
  expect(findDesktopEditor({ VSCODE_IPC_HOOK_CLI: '/sock', PATH: process.env['PATH'] })).toBeUndefined();
});

it.runIf(process.platform !== 'win32')('desktop VS Code is started with workspace trust on', async () => {
  const lines: string[] = [];
  const window = startDesktop({
    // Prints its arguments.
    editor: { executable: findExecutable('echo') ?? '' },
    extensionFolder: '/extension',
    folder: '/workspace',
    stateFolder: '/state',
    env: {},
    onLine: (line) => void lines.push(line),
  });
  await window.ended;
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/ --extensionDevelopmentPath=\/extension .*\/workspace$/);
  expect(lines[0]).not.toContain('workspace-trust');
});
