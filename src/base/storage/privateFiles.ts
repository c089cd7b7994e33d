import type { Stats } from 'node:fs';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';

/** What our folders hold is for nobody else on the machine to read. */
const folderMode = 0o700;
/** What our files hold is for nobody else on the machine to read. */
export const privateFileMode = 0o600;
/** Where everybody may make files of their own, as in /tmp. */
const sticky = 0o1000;

/** Makes a folder for its owner alone, also where it was there before with wider rights. */
export async function ensurePrivateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: folderMode });
  if (isTooPermissive(await stat(path))) {
    await chmod(path, folderMode);
  }
  return path;
}

/** `ensurePrivateFolder` for where nothing can be waited for. */
export function ensurePrivateFolderSync(path: string): string {
  mkdirSync(path, { recursive: true, mode: folderMode });
  restrictSync(path, folderMode);
  return path;
}

/** Takes a file away from others that a copy or another program has opened to them. */
export function restrictFileSync(path: string): void {
  restrictSync(path, privateFileMode);
}

function restrictSync(path: string, mode: number): void {
  if (isTooPermissive(statSync(path))) {
    chmodSync(path, mode);
  }
}

/** Whether it is ours to close: a folder of another user, or one that the system shares, is named by mistake. */
function isTooPermissive({ mode, uid }: Stats): boolean {
  return (mode & 0o077) !== 0 && (mode & sticky) === 0 && uid === process.getuid?.();
}

/** Whether another user may put something into a folder, or in its place: then what lies there need not be ours. */
export async function isWritableByOthers(path: string): Promise<boolean> {
  const own = process.getuid?.();
  try {
    const { mode, uid } = await stat(path);
    const isForAll = (mode & 0o002) !== 0 && (mode & sticky) === 0;
    return own !== undefined && (isForAll || (uid !== own && uid !== 0));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return false;
    }
    throw error;
  }
}

/** Writes a new file that its owner alone may read. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: privateFileMode, flag: 'wx' });
}
