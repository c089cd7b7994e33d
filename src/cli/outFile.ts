import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { getErrorCode } from '../base/fileErrors.ts';
import { privateFileMode } from '../base/storage/privateFiles.ts';
import { isInItemFolder, itemSuffixes } from '../project/paths.ts';
import { projectFileName } from '../project/projectFileName.ts';
import { CommandRefusedError } from './exitCodes.ts';
import { formatFileError } from './formatFileError.ts';

/** Writes the text of a file. Injected, because tests simulate a full disk. */
export type WriteText = (path: string, text: string, options: { readonly mode: number }) => Promise<void>;

/**
 * Writes the file of `--out`. A new file is written beside the path, and then moved there, so that an existing file
 * stays as it was if the disk is full; its permissions are kept. A device or pipe, such as `/dev/stdout`, is written
 * directly.
 * @throws CommandRefusedError
 */
export const writeOutFile = (path: string, text: string, writeText: WriteText = writeFile): Promise<void> =>
  convertOutErrors(async () => {
    const existing = await findFile(path);
    if (existing?.isReplaceable === false) {
      await writeFile(path, text);
      return;
    }
    const target = existing?.path ?? path;
    const temporaryPath = join(dirname(target), `.${randomBytes(8).toString('hex')}.tmp`);
    try {
      // Nobody may read more of the new text than of the file that it replaces, not even for a moment.
      await writeText(temporaryPath, text, { mode: existing === undefined ? 0o666 : privateFileMode });
      if (existing !== undefined) {
        await chmod(temporaryPath, existing.mode);
      }
      await rename(temporaryPath, target);
    } finally {
      await rm(temporaryPath, { force: true });
    }
  });

/**
 * Refuses a path for `--out` that is, or would be, a file of a project.
 * @throws CommandRefusedError
 */
export const refuseProjectFile = (path: string): Promise<void> =>
  convertOutErrors(async () => {
    const existing = await findFile(path);
    if (isProjectFile(existing?.path ?? (await resolveNewPath(path)))) {
      throw new CommandRefusedError('The --out file belongs to a project. Use another file.');
    }
  });

/** Returns the path of a new file that symbolic links to its folder lead to. */
const resolveNewPath = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)).catch(() => resolve(dirname(path))), basename(path));

function isProjectFile(path: string): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, projectFileName))) {
      const relativePath = relative(folder, path).split(sep).join('/');
      return (
        relativePath === projectFileName ||
        /^environments\/[^/]+\.json$/u.test(relativePath) ||
        (isInItemFolder(relativePath) &&
          Object.values(itemSuffixes).some((suffix) => relativePath.endsWith(suffix)))
      );
    }
  }
  return false;
}

/** An existing file, with the path that symbolic links lead to. */
interface ExistingFile {
  readonly path: string;
  readonly mode: number;
  /** False for what can only be written into: a device, a pipe, or an output of the process, such as `/dev/stdout`. */
  readonly isReplaceable: boolean;
}

async function findFile(path: string): Promise<ExistingFile | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || /^\/(?:dev\/(?:std|fd\/)|proc\/)/u.test(path)) {
      return { path, mode: stats.mode, isReplaceable: false };
    }
    return { path: await realpath(path), mode: stats.mode, isReplaceable: true };
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Runs a function that works with the file of `--out`, and converts its errors to a CommandRefusedError. */
export async function convertOutErrors(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw error instanceof CommandRefusedError
      ? error
      : new CommandRefusedError(`Can't write the --out file. ${formatFileError(error)}`);
  }
}
