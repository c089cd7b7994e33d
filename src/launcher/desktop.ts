import { join } from 'node:path';
import { createCleanEnvironment } from './cleanEnvironment.ts';
import { getEditorCacheFolder } from './codeServerInstall.ts';
import { findExecutable } from './executables.ts';
import type { SupervisedProcess } from './supervisedProcess.ts';
import { startSupervised } from './supervisedProcess.ts';

/** The time without data after which a download fails. */
const downloadIdleMs = 5000;

/** An installed desktop VS Code. */
export interface DesktopEditor {
  readonly executable: string;
}

/** Returns whether this machine can show a window. */
export function hasDisplay(
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): boolean {
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/** Finds `code` on the PATH. In the terminal of a remote window, `code` is another program that starts no editor. */
export function findDesktopEditor(env: NodeJS.ProcessEnv = process.env): DesktopEditor | undefined {
  if (env['VSCODE_IPC_HOOK_CLI']) {
    return undefined;
  }
  const executable = findExecutable('code', env['PATH']);
  return executable === undefined ? undefined : { executable };
}

/** Downloads desktop VS Code, once per user. Returns `undefined`, without a long wait, if it can't be downloaded. */
export async function downloadDesktopEditor(
  report: (message: string) => void,
): Promise<DesktopEditor | undefined> {
  const { downloadAndUnzipVSCode, SilentReporter } = await import('@vscode/test-electron');
  try {
    const executable = await downloadAndUnzipVSCode({
      cachePath: join(getEditorCacheFolder(), 'desktop'),
      reporter: new SilentReporter(),
      timeout: downloadIdleMs,
    });
    return { executable };
  } catch (error) {
    report(`Can't download desktop VS Code: ${String(error)}`);
    return undefined;
  }
}

export interface DesktopOptions {
  readonly editor: DesktopEditor;
  readonly extensionFolder: string;
  readonly folder: string;
  /** The folder for settings, state and extensions of this window. */
  readonly stateFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onLine?: (line: string) => void;
}

/** Opens a window with the extension in development mode. With `--verbose`, the window stays a child process. */
export function startDesktop(options: DesktopOptions): SupervisedProcess {
  const isRoot = process.getuid?.() === 0;
  return startSupervised({
    command: options.editor.executable,
    args: [
      '--verbose',
      '--new-window',
      '--skip-welcome',
      '--skip-release-notes',
      '--disable-updates',
      `--user-data-dir=${join(options.stateFolder, 'user')}`,
      `--extensions-dir=${join(options.stateFolder, 'extensions')}`,
      `--extensionDevelopmentPath=${options.extensionFolder}`,
      ...(isRoot ? ['--no-sandbox'] : []),
      options.folder,
    ],
    env: createCleanEnvironment(options.env),
    ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
  });
}
