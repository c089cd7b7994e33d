import type { Stats } from 'node:fs';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';

/** Other users of the machine cannot read our folders. */
const folderMode = 0o700;
/** Other users of the machine cannot read our files. */
export const privateFileMode = 0o600;
/** The sticky bit: everyone may create files of their own, as in /tmp. */
const sticky = 0o1000;

/** Creates a folder that only its owner can access; restricts an existing folder that has wider permissions. */
export async function ensurePrivateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: folderMode });
  if (isTooPermissive(await stat(path))) {
    await chmod(path, folderMode);
  }
  return path;
}

/** `ensurePrivateFolder` for callers that cannot await. */
export function ensurePrivateFolderSync(path: string): string {
  mkdirSync(path, { recursive: true, mode: folderMode });
  restrictSync(path, folderMode);
  return path;
}

/** Restricts the permissions of a file that a copy or another program has widened. */
export function restrictFileSync(path: string): void {
  restrictSync(path, privateFileMode);
}

function restrictSync(path: string, mode: number): void {
  if (isTooPermissive(statSync(path))) {
    chmodSync(path, mode);
  }
}

/**
 * True if the folder is ours and too permissive: a folder of another user, or one shared by the system, was named by
 * mistake and is left alone.
 */
function isTooPermissive({ mode, uid }: Stats): boolean {
  return (mode & 0o077) !== 0 && (mode & sticky) === 0 && uid === process.getuid?.();
}

/** True if another user may put something into a folder, or replace it: its contents may then not be ours. */
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

/** Writes a new file that only its owner may read. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: privateFileMode, flag: 'wx' });
}
