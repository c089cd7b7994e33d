import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { collectSchemaTexts } from './schemaTexts.ts';
import { extractTexts, type ModuleTexts } from './extractTexts.ts';

/** Reads the texts of all modules in a folder, by path with forward slashes. Modules without texts are left out. */
export function readModuleTexts(folder: string): ReadonlyMap<string, ModuleTexts> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /\.tsx?$/.test(path))
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const)
      // Most modules translate nothing, and parsing them takes most of the time.
      .filter(([, source]) => /\b(?:t|createMessage|translatable)\(/.test(source))
      .map(([path, source]) => [path, extractTexts(path, source)] as const),
  );
}

/** Returns texts in alphabetical order, each once. */
export const sortTexts = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

/** Returns all texts that the product translates, apart from those of `package.json`. */
export const collectProductTexts = (modules: Iterable<ModuleTexts>): readonly string[] =>
  sortTexts([...[...modules].flatMap(({ texts }) => texts), ...collectSchemaTexts()]);
