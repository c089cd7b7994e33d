import { spawn } from 'node:child_process';
import { findExecutable } from './executables.ts';
import { writePrivateFile } from '../base/storage/privateFiles.ts';

/**
 * Writes a page that redirects to an address with a secret. All users of the machine can see the arguments of a
 * browser, but only the owner can read the file.
 */
export async function writeRedirectPage(file: string, url: string): Promise<void> {
  const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  await writePrivateFile(
    file,
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Datamodel Studio</title>
<a href="${address}">Open Datamodel Studio</a>
</html>
`,
  );
}

/** Opens a URL in the user's browser; returns false if that is impossible. All users of the machine can see the URL. */
export function openExternal(url: string): boolean {
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const executable = findExecutable(command);
  if (executable === undefined) {
    return false;
  }
  const child = spawn(executable, [url], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
  return true;
}
