import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { FileWrite } from './composeFiles.ts';
import { formatLock, getLockPath } from './lock.ts';
import type { PullPlan } from './planPull.ts';
import { getErrorCode } from '../files/readTextFile.ts';

/** Why files could not be written. */
export type WriteFault = 'full-disk' | 'symbolic-link' | 'changed' | 'failed';

/** Files of a project could not be written. The message states whether any were. */
export class ProjectWriteError extends Error {
  override readonly name = 'ProjectWriteError';
  readonly fault: WriteFault;
  /** The path of the file or folder, relative to the project. */
  readonly path: string;

  constructor(fault: WriteFault, path: string, message: string) {
    super(message);
    this.fault = fault;
    this.path = path;
  }
}

/** Writes the text of a new file. Injected, because tests simulate a full disk. */
export type WriteText = (path: string, text: string) => Promise<void>;

/** How many files are written at once. */
const maxConcurrentWrites = 16;

interface StagedFile {
  readonly path: string;
  readonly temporaryPath: string;
}

/**
 * Writes the files of a plan and the lock of its environment. First, all texts are written to temporary files beside
 * their targets: if that fails, no file has changed. Then the temporary files replace their targets, SQL first and the
 * lock last. Files that already have their planned text are not touched.
 * @param folder the folder of the project, which is created if it does not exist
 * @throws ProjectWriteError
 */
export async function writeProjectFiles(
  folder: string,
  environment: string,
  plan: Pick<PullPlan, 'writes' | 'deletions' | 'lock'>,
  writeText: WriteText = (path, text) => writeFile(path, text, { flag: 'wx' }),
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await new ProjectWriter(await realpath(folder), writeText).write(environment, plan);
}

class ProjectWriter {
  readonly #root: string;
  readonly #writeText: WriteText;
  readonly #staged: StagedFile[] = [];
  /** The folders that have been checked, relative to the project. */
  readonly #folders = new Map<string, Promise<void>>();
  readonly #created = new Map<string, Promise<unknown>>();
  #hasChanged = false;

  constructor(root: string, writeText: WriteText) {
    this.#root = root;
    this.#writeText = writeText;
  }

  async write(
    environment: string,
    { writes, deletions, lock }: Pick<PullPlan, 'writes' | 'deletions' | 'lock'>,
  ): Promise<void> {
    const lockPath = getLockPath(environment);
    const lockText = formatLock(lock);
    const oldLockText = await this.#run(lockPath, () => this.#read(lockPath));
    // Version control may have changed the line endings.
    const isLockCurrent = oldLockText?.replaceAll('\r\n', '\n') === lockText;
    try {
      await mapConcurrently([...writes, ...deletions], maxConcurrentWrites, ({ path, previousText }) =>
        this.#run(path, () => this.#requireUnchanged(path, previousText)),
      );
      await mapConcurrently(writes, maxConcurrentWrites, ({ path, text }) => this.#stage(path, text));
      if (!isLockCurrent) {
        await this.#stage(lockPath, lockText);
      }
      const staged = new Map(this.#staged.map((file) => [file.path, file]));
      // No table ever refers to missing SQL, even if writing is interrupted.
      await this.#replaceAll(writes.filter(isSql), staged);
      await this.#replaceAll(
        writes.filter((write) => !isSql(write)),
        staged,
      );
      for (const { path, previousText } of deletions) {
        await this.#run(path, () => this.#requireUnchanged(path, previousText));
        await this.#run(path, () => this.#delete(path));
      }
      await this.#run(lockPath, () => this.#replace(staged.get(lockPath)));
    } finally {
      // Temporary files that have replaced their targets no longer exist.
      await Promise.all(this.#staged.map(({ temporaryPath }) => rm(temporaryPath, { force: true })));
    }
  }

  /** Returns the text of a file; `undefined` if it does not exist. */
  async #read(path: string): Promise<string | undefined> {
    await this.#checkFolder(getFolder(path));
    const stats = await ignoreMissing(lstat(join(this.#root, path)));
    if (stats === undefined) {
      return undefined;
    }
    if (stats.isSymbolicLink()) {
      throw createLinkError(path);
    }
    const bytes = await readFile(join(this.#root, path));
    return bytes.toString('utf8');
  }

  /** Checks that a file is still the same as when the plan was made: a person may have saved it in the meantime. */
  async #requireUnchanged(path: string, previousText: string | undefined): Promise<void> {
    if ((await this.#read(path)) !== previousText) {
      throw new ProjectWriteError(
        'changed',
        path,
        `${path} has changed in the meantime, so it was not written. ${this.#describeOutcome()}`,
      );
    }
  }

  /** Checks that a folder is inside the project, and not reached through a symbolic link. It may be missing. */
  #checkFolder(folder: string): Promise<void> {
    const checked = this.#folders.get(folder) ?? this.#checkNewFolder(folder);
    this.#folders.set(folder, checked);
    return checked;
  }

  async #checkNewFolder(folder: string): Promise<void> {
    if (folder === '') {
      return;
    }
    await this.#checkFolder(getFolder(folder));
    const stats = await ignoreMissing(lstat(join(this.#root, folder)));
    if (stats?.isSymbolicLink() === true) {
      throw createLinkError(folder);
    }
  }

  async #stage(path: string, text: string): Promise<void> {
    await this.#run(path, async () => {
      const folder = join(this.#root, getFolder(path));
      await this.#createFolder(folder);
      const temporaryPath = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
      this.#staged.push({ path, temporaryPath });
      await this.#writeText(temporaryPath, text);
    });
  }

  #createFolder(folder: string): Promise<unknown> {
    const created = this.#created.get(folder) ?? mkdir(folder, { recursive: true });
    this.#created.set(folder, created);
    return created;
  }

  /**
   * Replaces files in chunks. If one fails, the others of its chunk are completed before the error reports what has
   * changed.
   */
  async #replaceAll(writes: readonly FileWrite[], staged: ReadonlyMap<string, StagedFile>): Promise<void> {
    for (let start = 0; start < writes.length; start += maxConcurrentWrites) {
      const chunk = writes.slice(start, start + maxConcurrentWrites);
      await Promise.all(
        chunk.map(({ path, previousText }) =>
          this.#run(path, () => this.#requireUnchanged(path, previousText)),
        ),
      );
      const results = await Promise.allSettled(chunk.map(({ path }) => this.#replace(staged.get(path))));
      for (const [index, result] of results.entries()) {
        if (result.status === 'rejected') {
          await this.#run(chunk[index]?.path ?? '', () => Promise.reject(result.reason));
        }
      }
    }
  }

  async #replace(file: StagedFile | undefined): Promise<void> {
    if (file !== undefined) {
      await rename(file.temporaryPath, join(this.#root, file.path));
      this.#hasChanged = true;
    }
  }

  async #delete(path: string): Promise<void> {
    await rm(join(this.#root, path));
    this.#hasChanged = true;
    // Version control doesn't keep empty folders.
    for (let folder = getFolder(path); folder.includes('/'); folder = getFolder(folder)) {
      if (!(await removeEmptyFolder(join(this.#root, folder)))) {
        return;
      }
    }
  }

  #describeOutcome(): string {
    return this.#hasChanged ? 'Other files were changed already. Pull again.' : 'No file was changed.';
  }

  /** Runs a step on a file. */
  async #run<Result>(path: string, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof ProjectWriteError) {
        throw error;
      }
      const code = getErrorCode(error);
      const outcome = this.#describeOutcome();
      throw code === 'ENOSPC' || code === 'EDQUOT'
        ? new ProjectWriteError(
            'full-disk',
            path,
            `The disk is full, so ${path} can't be written. ${outcome}`,
          )
        : new ProjectWriteError('failed', path, `Can't write ${path}: ${code}. ${outcome}`);
    }
  }
}

const isSql = ({ key }: FileWrite): boolean =>
  key.kind === 'tableExpression' || key.kind === 'columnExpression';

/** Returns the folder of a path that is relative to the project; empty for the project itself. */
const getFolder = (path: string): string => (path.includes('/') ? dirname(path) : '');

const createLinkError = (path: string): ProjectWriteError =>
  new ProjectWriteError(
    'symbolic-link',
    path,
    `${path} is a symbolic link, which may lead out of the project. No file was changed.`,
  );

async function removeEmptyFolder(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(getErrorCode(error))) {
      return false;
    }
    throw error;
  }
}

async function ignoreMissing<Result>(promise: Promise<Result>): Promise<Result | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
