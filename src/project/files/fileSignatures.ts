import { type Stats, lstatSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode } from '../../base/fileErrors.ts';
import { projectFileName } from '../projectFileName.ts';
import { type FileList, mapFiles } from './readProject.ts';

/** A text for each file, by its path, that changes whenever the file changes. */
export type FileSignatures = Map<string, string>;

/** Reads the signatures of the listed files of a project, of its settings, and of its environments; no file is read. */
export async function readSignatures(root: string, { paths, faults }: FileList): Promise<FileSignatures> {
  const all = [projectFileName, ...(await listEnvironmentPaths(root)), ...paths];
  const signatures = await mapFiles(
    all,
    (path) => trySync(() => lstatSync(join(root, path))),
    async (path) => {
      try {
        return formatSignature(await lstat(join(root, path)));
      } catch (error) {
        return getErrorCode(error);
      }
    },
  );
  return new Map([
    ...faults.map(({ path, code }) => [path, code] as const),
    ...all.map((path, index) => [path, signatures[index] ?? ''] as const),
  ]);
}

/** Returns the paths of files that have been created, changed, or deleted between two readings. */
export const findChangedPaths = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));

async function listEnvironmentPaths(root: string): Promise<readonly string[]> {
  try {
    const names = await readdir(join(root, 'environments'));
    return names.filter((name) => name.endsWith('.json')).map((name) => `environments/${name}`);
  } catch {
    // The files of a folder that can't be read count as deleted, so they are read again, which reports the error.
    return [];
  }
}

function trySync(read: () => Stats): string {
  try {
    return formatSignature(read());
  } catch (error) {
    return getErrorCode(error);
  }
}

/**
 * Returns the signature of a file. Even if the size stays the same, a file that was replaced has another inode number,
 * and one that was written to has another time.
 */
export const formatSignature = ({ mtimeMs, ctimeMs, size, ino }: Stats): string =>
  `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
