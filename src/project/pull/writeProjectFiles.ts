import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs';
import { lstat, mkdir, readFile, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Message, MessageError, createMessage } from '../../base/localize.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { FileWrite } from './composeFiles.ts';
import { formatLock, getLockPath } from './lock.ts';
import type { PullPlan } from './planPull.ts';
import { describeFileError, getErrorCode } from '../../base/fileErrors.ts';

/** Why files could not be written. */
export type WriteFault = 'full-disk' | 'symbolic-link' | 'changed' | 'failed';

/** Files of a project could not be written. The message states whether any were. */
export class ProjectWriteError extends MessageError {
  override readonly name = 'ProjectWriteError';
  readonly fault: WriteFault;
  /** The path of the file or folder, relative to the project. */
  readonly path: string;

  constructor(fault: WriteFault, path: string, message: Message) {
    super(message);
    this.fault = fault;
    this.path = path;
  }
}

/** Writes the text of a new file. Injected, because tests simulate a full disk. */
export type WriteText = (path: string, text: string) => Promise<void>;

/** Writes a file. Takes half the processor time of `node:fs/promises`, which creates an object for every file. */
const writeFileByPath = promisify(writeFile);

const writeNewFile: WriteText = (path, text) => writeFileByPath(path, text, { flag: 'wx' });

/** How many files are written at once. */
const maxConcurrentWrites = 16;

/**
 * Creates the folder of a new project, unless it exists. Only a pull into a folder that didn't exist when it began does
 * so: nothing else may bring back a project that someone has deleted or moved.
 * @throws ProjectWriteError
 */
export async function createProjectFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new ProjectWriteError(
      'failed',
      '',
      createMessage("Can't create the project folder. {0}", describeFileError(getErrorCode(error))),
    );
  }
}

/**
 * Writes the files of a plan and the lock of its environment. First, all texts are written to temporary files beside
 * their targets, and those of a folder that does not exist to a temporary folder: if that fails, no file has changed.
 * Then the temporary files and folders replace their targets, SQL first and the lock last. Files that already have
 * their planned text are not touched.
 * @param folder the folder of the project, which must exist: if it no longer exists, it isn't created again
 * @throws ProjectWriteError
 */
export async function writeProjectFiles(
  folder: string,
  environment: string,
  plan: Pick<PullPlan, 'writes' | 'deletions' | 'lock'>,
  writeText: WriteText = writeNewFile,
): Promise<void> {
  const root = await ignoreMissing(realpath(folder));
  if (root === undefined) {
    throw new ProjectWriteError(
      'changed',
      '',
      createMessage('The project folder no longer exists, so nothing was written.'),
    );
  }
  await new ProjectWriter(root, writeText).write(environment, plan);
}

class ProjectWriter {
  readonly #root: string;
  readonly #writeText: WriteText;
  /** The temporary files of existing folders, by the path of the target. */
  readonly #stagedFiles = new Map<string, string>();
  /** The temporary folders, by the path of the folder that does not exist yet. */
  readonly #stagedFolders = new Map<string, string>();
  /** Whether each of the checked folders exists, by its path relative to the project. */
  readonly #folders = new Map<string, Promise<boolean>>();
  readonly #createdFolders = new Map<string, Promise<void>>();
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
    const oldLockText = await this.#withWriteErrors(lockPath, () => this.#read(lockPath));
    // Version control may have changed the line endings.
    const isLockCurrent = oldLockText?.replaceAll('\r\n', '\n') === lockText;
    try {
      await mapConcurrently([...writes, ...deletions], maxConcurrentWrites, ({ path, previousText }) =>
        this.#withWriteErrors(path, () => this.#requireUnchanged(path, previousText)),
      );
      await mapConcurrently(writes, maxConcurrentWrites, ({ path, text }) => this.#stage(path, text));
      if (!isLockCurrent) {
        await this.#stageFile(lockPath, lockText);
      }
      // No table ever refers to missing SQL, even if writing is interrupted.
      const fileWrites = writes.filter(({ path }) => this.#stagedFiles.has(path));
      await this.#replaceAll(fileWrites.filter(isSql));
      for (const path of this.#stagedFolders.keys()) {
        await this.#withWriteErrors(path, () => this.#moveStagedFolder(path));
      }
      await this.#replaceAll(fileWrites.filter((write) => !isSql(write)));
      for (const { path, previousText } of deletions) {
        await this.#withWriteErrors(path, () => this.#requireUnchanged(path, previousText));
        await this.#withWriteErrors(path, () => this.#delete(path));
      }
      await this.#withWriteErrors(lockPath, () => this.#replace(lockPath));
    } finally {
      const temporaryPaths = [...this.#stagedFiles.values(), ...this.#stagedFolders.values()];
      await Promise.all(temporaryPaths.map((path) => rm(path, { recursive: true, force: true })));
    }
  }

  /**
   * Returns the text of a file; `undefined` if it does not exist.
   * @throws ProjectWriteError for a symbolic link
   */
  async #read(path: string): Promise<string | undefined> {
    const isInFolder = await this.#checkFolder(getFolder(path));
    const stats = isInFolder ? await ignoreMissing(lstat(join(this.#root, path))) : undefined;
    if (stats === undefined) {
      return undefined;
    }
    if (stats.isSymbolicLink()) {
      throw this.#createLinkError(path);
    }
    const bytes = await readFile(join(this.#root, path));
    return bytes.toString('utf8');
  }

  /**
   * Requires that a file is still the same as when the plan was made: a person may have saved it in the meantime.
   * @throws ProjectWriteError
   */
  async #requireUnchanged(path: string, previousText: string | undefined): Promise<void> {
    if ((await this.#read(path)) !== previousText) {
      throw new ProjectWriteError(
        'changed',
        path,
        createMessage(
          "{0} has changed in the meantime, so it wasn't written. {1}",
          path,
          this.#describeOutcomeOfChange(),
        ),
      );
    }
  }

  /**
   * Checks that a folder is inside the project, and not reached through a symbolic link. Returns whether it existed
   * when it was first checked.
   */
  #checkFolder(folder: string): Promise<boolean> {
    const checked = this.#folders.get(folder) ?? this.#checkFolderOnDisk(folder);
    this.#folders.set(folder, checked);
    return checked;
  }

  /** Checks a folder that isn't in `#folders` yet, and those that contain it. */
  async #checkFolderOnDisk(folder: string): Promise<boolean> {
    if (folder === '') {
      return true;
    }
    if (!(await this.#checkFolder(getFolder(folder)))) {
      return false;
    }
    const stats = await ignoreMissing(lstat(join(this.#root, folder)));
    if (stats?.isSymbolicLink() === true) {
      throw this.#createLinkError(folder);
    }
    return stats !== undefined;
  }

  /** Returns the outermost folder of a path that does not exist; `undefined` if all of them exist. */
  async #findMissingFolder(path: string): Promise<string | undefined> {
    let missingFolder: string | undefined;
    for (let folder = getFolder(path); !(await this.#checkFolder(folder)); folder = getFolder(folder)) {
      missingFolder = folder;
    }
    return missingFolder;
  }

  async #stage(path: string, text: string): Promise<void> {
    const folder = await this.#findMissingFolder(path);
    if (folder === undefined) {
      await this.#stageFile(path, text);
      return;
    }
    const temporaryFolder = this.#stagedFolders.get(folder) ?? this.#createTemporaryPath(folder);
    this.#stagedFolders.set(folder, temporaryFolder);
    await this.#writeFile(path, join(temporaryFolder, path.slice(folder.length)), text);
  }

  async #stageFile(path: string, text: string): Promise<void> {
    const temporaryPath = this.#createTemporaryPath(path);
    this.#stagedFiles.set(path, temporaryPath);
    await this.#writeFile(path, temporaryPath, text);
  }

  /** Returns a path beside a file or folder. Projects ignore names that start with a dot. */
  #createTemporaryPath(path: string): string {
    return join(this.#root, getFolder(path), `.${randomBytes(8).toString('hex')}.tmp`);
  }

  #writeFile(path: string, temporaryPath: string, text: string): Promise<void> {
    return this.#withWriteErrors(path, async () => {
      await this.#createFolder(dirname(temporaryPath));
      await this.#writeText(temporaryPath, text);
    });
  }

  /** Creates a folder in the project, unless it exists. The project's own folder is never created again. */
  #createFolder(folder: string): Promise<void> {
    const created = this.#createdFolders.get(folder) ?? this.#createFolderOnDisk(folder);
    this.#createdFolders.set(folder, created);
    return created;
  }

  async #createFolderOnDisk(folder: string): Promise<void> {
    if (folder === this.#root) {
      return;
    }
    await this.#createFolder(dirname(folder));
    try {
      await mkdir(folder);
    } catch (error) {
      if (getErrorCode(error) !== 'EEXIST') {
        throw error;
      }
    }
  }

  /**
   * Replaces files in chunks. If one fails, the others of its chunk are completed before the error reports what has
   * changed.
   */
  async #replaceAll(writes: readonly FileWrite[]): Promise<void> {
    for (let start = 0; start < writes.length; start += maxConcurrentWrites) {
      const chunk = writes.slice(start, start + maxConcurrentWrites);
      await Promise.all(
        chunk.map(({ path, previousText }) =>
          this.#withWriteErrors(path, () => this.#requireUnchanged(path, previousText)),
        ),
      );
      const results = await Promise.allSettled(chunk.map(({ path }) => this.#replace(path)));
      for (const [index, result] of results.entries()) {
        if (result.status === 'rejected') {
          await this.#withWriteErrors(chunk[index]?.path ?? '', () => Promise.reject(result.reason));
        }
      }
    }
  }

  async #replace(path: string): Promise<void> {
    const temporaryPath = this.#stagedFiles.get(path);
    if (temporaryPath !== undefined) {
      await rename(temporaryPath, join(this.#root, path));
      this.#stagedFiles.delete(path);
      this.#hasChanged = true;
    }
  }

  /** Moves a temporary folder into place with all its files at once. */
  async #moveStagedFolder(path: string): Promise<void> {
    const target = join(this.#root, path);
    // On some systems, a rename replaces a folder.
    if ((await ignoreMissing(lstat(target))) !== undefined) {
      throw new ProjectWriteError(
        'changed',
        path,
        createMessage(
          "{0} was created in the meantime, so it wasn't written. {1}",
          path,
          this.#describeOutcomeOfChange(),
        ),
      );
    }
    await rename(this.#stagedFolders.get(path) ?? '', target);
    this.#stagedFolders.delete(path);
    this.#hasChanged = true;
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

  #createLinkError(path: string): ProjectWriteError {
    return new ProjectWriteError(
      'symbolic-link',
      path,
      createMessage(
        '{0} is a symbolic link, which might point outside the project. Replace it with a file or folder. {1}',
        path,
        this.#describeOutcome(),
      ),
    );
  }

  #describeOutcome(): Message {
    return this.#hasChanged
      ? createMessage('Other files have already been changed. Pull again.')
      : createMessage('No files were changed.');
  }

  /** Says what has changed so far, for a file that someone else has changed: a new pull takes that into account. */
  #describeOutcomeOfChange(): Message {
    return this.#hasChanged ? this.#describeOutcome() : createMessage('No files were changed. Pull again.');
  }

  /** Runs a step on a file or folder; its errors become write errors that say what has changed so far. */
  async #withWriteErrors<Result>(path: string, step: () => Promise<Result>): Promise<Result> {
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
            createMessage("The disk is full, so {0} can't be written. {1}", path, outcome),
          )
        : new ProjectWriteError(
            'failed',
            path,
            createMessage("Can't write {0}. {1} {2}", path, describeFileError(code), outcome),
          );
    }
  }
}

const isSql = ({ key }: FileWrite): boolean =>
  key.kind === 'tableExpression' || key.kind === 'columnExpression';

/** Returns the folder of a path that is relative to the project; empty for the project itself. */
const getFolder = (path: string): string => (path.includes('/') ? dirname(path) : '');

/** Removes a folder; returns false if it isn't empty. */
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
