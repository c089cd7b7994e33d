import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { getFileKind } from '../files/fileKinds.ts';
import { type ParsedFiles, type ReadFault, parseProject } from '../files/parseProject.ts';
import type { Project } from '../files/project.ts';
import { createLinkFault, readProjectText, readProjectTexts } from '../files/readProject.ts';
import { getErrorCode } from '../files/readTextFile.ts';
import { itemFolders } from '../paths.ts';

/** How many changed files are read at once. */
const maxConcurrentReads = 32;

const topFolders: ReadonlySet<string> = new Set(itemFolders);

/** The files of a project, as last read. Only files that may have changed are read again, and only changed ones parsed. */
export class ProjectFiles {
  readonly #folder: string;
  readonly #parsedFiles: ParsedFiles = new Map();
  #texts = new Map<string, string>();
  #faults = new Map<string, ReadFault>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  parse(): Project {
    return parseProject({ texts: this.#texts, faults: [...this.#faults.values()] }, this.#parsedFiles);
  }

  async readAll(): Promise<void> {
    const { texts, faults } = await readProjectTexts(this.#folder);
    this.#texts = new Map(texts);
    this.#faults = new Map(faults.map((fault) => [fault.path, fault]));
  }

  /** Reads files and folders again that may have been created, changed, or deleted. Others are left alone. */
  async read(paths: readonly string[]): Promise<void> {
    const own = paths.filter((path) => {
      const names = path.split('/');
      return topFolders.has(names[0] ?? '') && names.every((name) => !name.startsWith('.'));
    });
    const stats = await mapConcurrently(own, maxConcurrentReads, (path) =>
      readStats(join(this.#folder, path)),
    );
    if (stats.some((stat) => stat?.isDirectory() === true)) {
      // Version control creates and renames whole folders, and may report nothing else.
      await this.readAll();
      return;
    }
    const files = own.map((path, index) => ({ path, stat: stats[index] }));
    await mapConcurrently(files, maxConcurrentReads, ({ path, stat }) => this.#readFile(path, stat));
  }

  async #readFile(path: string, stats: Stats | undefined): Promise<void> {
    if (stats === undefined) {
      this.#remove(path);
    } else if (stats.isSymbolicLink()) {
      this.#add(path, createLinkFault(path));
    } else if (getFileKind(path) !== undefined) {
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
    for (const files of [this.#texts, this.#faults, this.#parsedFiles]) {
      files.delete(path);
      if (getFileKind(path) === undefined) {
        [...files.keys()]
          .filter((other) => other.startsWith(`${path}/`))
          .forEach((other) => files.delete(other));
      }
    }
  }
}

/** Returns `undefined` for what does not exist. Other errors are those of reading the file. */
async function readStats(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(getErrorCode(error))) {
      return undefined;
    }
    throw error;
  }
}
