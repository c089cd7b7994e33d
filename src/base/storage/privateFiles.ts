import type { Stats } from 'node:fs';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';

/** Only the owner can access the folder. */
const folderMode = 0o700;
/** Only the owner can read and write the file. */
export const privateFileMode = 0o600;
/** The sticky bit, as on /tmp: in such a folder users can create files but cannot delete those of others. */
const stickyBit = 0o1000;

/**
 * Creates a folder that only its owner can access. Restricts the permissions of an existing one if it belongs to the
 * current user and is not shared like /tmp.
 */
export async function ensurePrivateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: folderMode });
  if (isTooPermissive(await stat(path))) {
    await chmod(path, folderMode);
  }
  return path;
}

/** Synchronous version of {@link ensurePrivateFolder}. */
export function ensurePrivateFolderSync(path: string): string {
  mkdirSync(path, { recursive: true, mode: folderMode });
  restrictSync(path, folderMode);
  return path;
}

/**
 * Makes a file of the current user accessible only to them, in case it was copied or another program has changed it.
 */
export function restrictFileSync(path: string): void {
  restrictSync(path, privateFileMode);
}

function restrictSync(path: string, mode: number): void {
  if (isTooPermissive(statSync(path))) {
    chmodSync(path, mode);
  }
}

/**
 * True if the current user owns the file or folder and others can access it. Folders of other users and shared system
 * folders such as /tmp are left alone: using one of them is a configuration mistake.
 */
function isTooPermissive({ mode, uid }: Stats): boolean {
  return (mode & 0o077) !== 0 && (mode & stickyBit) === 0 && uid === process.getuid?.();
}

/**
 * True if a folder belongs to another user (but not root), or its group or everyone can create and delete files in it,
 * so that its contents cannot be trusted. False if it does not exist, and on Windows, which has no such permissions.
 * The group counts even if it is the user's own: who is in it cannot be known, and on some systems it's everyone.
 */
export async function isWritableByOthers(path: string): Promise<boolean> {
  const ownUid = process.getuid?.();
  try {
    const { mode, uid } = await stat(path);
    const isShared = (mode & 0o022) !== 0 && (mode & stickyBit) === 0;
    return ownUid !== undefined && (isShared || (uid !== ownUid && uid !== 0));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return false;
    }
    throw error;
  }
}

/**
 * Creates a file that only its owner can read and write.
 * @throws `EEXIST` if the file exists
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: privateFileMode, flag: 'wx' });
}
