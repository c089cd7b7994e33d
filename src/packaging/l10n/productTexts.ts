import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
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
      .filter(([, source]) => /\b(?:t|translatable)\(/.test(source))
      .map(([path, source]) => [path, extractTexts(path, source)] as const),
  );
}

/** Returns the texts of some modules, each once, in alphabetical order. */
export const collectTexts = (modules: Iterable<ModuleTexts>): readonly string[] =>
  [...new Set([...modules].flatMap(({ texts }) => texts))].sort();
