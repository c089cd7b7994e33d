import { expect, it } from 'vitest';
import { findDesktopEditor, hasDisplay } from '../../../src/launcher/desktop.ts';

it('needs a display on Linux only', () => {
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
});

it('does not take the remote command line of a VS Code window for an editor', () => {
  expect(findDesktopEditor({ VSCODE_IPC_HOOK_CLI: '/sock', PATH: process.env['PATH'] })).toBeUndefined();
});
