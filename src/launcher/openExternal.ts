import { spawn } from 'node:child_process';
import { findExecutable } from './executables.ts';

/** Opens a URL in the person's browser; false when the machine has no way to. */
export function openExternal(url: string): boolean {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const executable = findExecutable(opener);
  if (executable === undefined) {
    return false;
  }
  const child = spawn(executable, [url], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
  return true;
}
