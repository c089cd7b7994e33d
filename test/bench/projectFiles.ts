import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mapConcurrently } from '../../src/base/mapConcurrently.ts';

/** The number of files that a pull writes at once, and that reading a project opens at once. */
const maxWrites = 16;
const maxReads = 32;

/** Returns the texts of all files of a folder, by path. */
export async function readFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const texts = await mapConcurrently(paths, maxReads, (path) => readFile(join(folder, path), 'utf8'));
  return new Map(paths.map((path, index) => [path, texts[index] ?? '']));
}

/** Writes texts to the files of a folder, with the folders that these need. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const folders = new Set([...files.keys()].map((path) => dirname(join(folder, path))));
  await mapConcurrently([...folders], maxWrites, (path) => mkdir(path, { recursive: true }));
  await mapConcurrently([...files], maxWrites, ([path, text]) => writeFile(join(folder, path), text));
}

/** Reads the files of a project and parses the JSON among them. */
export async function readAndParse(folder: string): Promise<void> {
  for (const [path, text] of await readFiles(folder)) {
    if (path.endsWith('.json')) {
      JSON.parse(text);
    }
  }
}

/** Passes an empty temporary folder to a function, and removes the folder afterwards. */
export async function withTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
