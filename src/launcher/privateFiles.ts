import { chmod, mkdir, writeFile } from 'node:fs/promises';

/** Makes a folder that its owner alone may look into, also where it was there before with wider rights. */
export async function privateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
  return path;
}

/** Writes a new file that its owner alone may read. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
}
