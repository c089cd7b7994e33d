import { expect, it } from 'vitest';
import { findDesktopEditor, hasDisplay, startDesktop } from '../../../src/launcher/desktop.ts';
import { findExecutable } from '../../../src/launcher/executables.ts';

it('requires a display on Linux only', () => {
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
});

it('does not mistake the remote command line of a VS Code window for an editor', () => {
  expect(findDesktopEditor({ VSCODE_IPC_HOOK_CLI: '/sock', PATH: process.env['PATH'] })).toBeUndefined();
});

it.runIf(process.platform !== 'win32')('leaves workspace trust on', async () => {
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
