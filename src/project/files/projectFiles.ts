import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { findIntendedFolder, getFileKind } from './fileKinds.ts';
import { type ParsedFiles, parseProject } from './parseProject.ts';
import type { Project } from './project.ts';
import { type ReadFault, createLinkFault, createReadFault, findNameFaults } from './readFault.ts';
import { type FileSignatures, findChangedPaths, formatSignature, readSignatures } from './fileSignatures.ts';
import { listProjectFiles, readListedTexts, readProjectText } from './readProject.ts';
import { getErrorCode } from '../../base/fileErrors.ts';
import { getParentFolders, isInItemFolder, itemFolders } from '../paths.ts';
import { projectFileName } from '../projectFileName.ts';

/** How many changed files are read at once. */
const maxConcurrentReads = 32;

/**
 * The files of a project, as last read. Only files that may have changed are read again, and only changed ones parsed.
 */
export class ProjectFiles {
  readonly #folder: string;
  readonly #parsedFiles: ParsedFiles = new Map();
  #texts = new Map<string, string>();
  #faults = new Map<string, ReadFault>();
  #signatures: FileSignatures = new Map();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param unsaved the texts of files that have unsaved changes in an editor, which replace those on disk */
  parse(unsaved: ReadonlyMap<string, string> = new Map()): Project {
    const faults = [...this.#faults.values()];
    return parseProject(
      unsaved.size === 0
        ? { texts: this.#texts, faults }
        : {
            texts: new Map([...this.#texts, ...unsaved]),
            faults: faults.filter(({ path }) => !unsaved.has(path)),
          },
      this.#parsedFiles,
    );
  }

  /** Returns the text of a file; `undefined` if it isn't there or can't be read. */
  getText(path: string, unsaved: ReadonlyMap<string, string>): string | undefined {
    return unsaved.get(path) ?? this.#texts.get(path);
  }

  async readAll(): Promise<void> {
    const list = await listProjectFiles(this.#folder);
    // Before the files are read: one that changes in the meantime is found next time.
    this.#signatures = await readSignatures(this.#folder, list);
    const { texts, faults } = await readListedTexts(this.#folder, list);
    this.#texts = new Map(texts);
    this.#faults = new Map(faults.map((fault) => [fault.path, fault]));
  }

  /**
   * Returns the paths of files, settings, and environments that may have changed since the last call, or since they were
   * read. Reads no file.
   */
  async findChanges(): Promise<readonly string[]> {
    const before = this.#signatures;
    this.#signatures = await readSignatures(this.#folder, await listProjectFiles(this.#folder));
    return findChangedPaths(before, this.#signatures);
  }

  /** Reads again the files and folders that may have been created, changed, or deleted. */
  async read(paths: readonly string[]): Promise<void> {
    const itemPaths = paths.filter(isInItemFolder);
    if (
      itemPaths.some((path) => path.endsWith(`/${projectFileName}`)) ||
      paths.some(
        (path) =>
          !path.includes('/') && (itemFolders.includes(path) || findIntendedFolder(path) !== undefined),
      )
    ) {
      // A project inside this one was added or removed, or a folder of the project was renamed.
      await this.readAll();
      return;
    }
    const own = await this.#excludeOtherProjects(itemPaths);
    const examined = new Set([...own, ...own.flatMap(getParentFolders)]);
    const stats = new Map(
      await mapConcurrently(
        [...examined],
        maxConcurrentReads,
        async (path) => [path, await readStats(this.#folder, path)] as const,
      ),
    );
    const findStats = (path: string): Stats | undefined => {
      const found = stats.get(path);
      return found === undefined || 'code' in found ? undefined : found;
    };
    // A file below a symbolic link is not part of the project: the link is read in its place.
    const pathsOrLinks = itemPaths.map(
      (path) => getParentFolders(path).find((parent) => findStats(parent)?.isSymbolicLink() === true) ?? path,
    );
    const changed = [...new Set(pathsOrLinks)];
    if (changed.some((path) => findStats(path)?.isDirectory() === true)) {
      // Version control creates and renames whole folders, and may report nothing else.
      await this.readAll();
      return;
    }
    await mapConcurrently(changed, maxConcurrentReads, (path) => this.#readFile(path, stats.get(path)));
  }

  /** Leaves out the paths that belong to other projects inside this one. */
  async #excludeOtherProjects(paths: readonly string[]): Promise<readonly string[]> {
    const folders = [...new Set(paths.flatMap(getParentFolders))];
    const others = new Set(
      await mapConcurrently(folders, maxConcurrentReads, async (folder) =>
        (await readStats(this.#folder, `${folder}/${projectFileName}`)) === undefined ? undefined : folder,
      ),
    );
    return paths.filter((path) => !getParentFolders(path).some((parent) => others.has(parent)));
  }

  async #readFile(path: string, stats: Stats | ReadFault | undefined): Promise<void> {
    if (stats === undefined) {
      this.#remove(path);
    } else if ('code' in stats) {
      this.#add(path, stats);
    } else if (stats.isSymbolicLink()) {
      // The link may have replaced a folder.
      this.#remove(path);
      this.#add(path, createLinkFault(path));
    } else if (getFileKind(path) === undefined) {
      // The file may have replaced a folder.
      this.#remove(path);
      findNameFaults(path).forEach((fault) => this.#add(path, fault));
    } else {
      this.#signatures.set(path, formatSignature(stats));
      this.#add(path, await readProjectText(this.#folder, path));
    }
  }

  #add(path: string, result: string | ReadFault): void {
    this.#texts.delete(path);
    this.#faults.delete(path);
    if (typeof result === 'string') {
      this.#texts.set(path, result);
    } else {
      this.#faults.set(path, result);
    }
  }

  /** Removes a file, or a folder with everything in it. */
  #remove(path: string): void {
    for (const files of [this.#texts, this.#faults, this.#signatures, this.#parsedFiles]) {
      files.delete(path);
      if (getFileKind(path) === undefined) {
        [...files.keys()]
          .filter((other) => other.startsWith(`${path}/`))
          .forEach((other) => files.delete(other));
      }
    }
  }
}

/** Returns the metadata of a file or folder, or the fault if it can't be read; `undefined` if it doesn't exist. */
async function readStats(root: string, path: string): Promise<Stats | ReadFault | undefined> {
  try {
    return await lstat(join(root, path));
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(getErrorCode(error)) ? undefined : createReadFault(path, error);
  }
}
