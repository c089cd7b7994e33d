import { posix } from 'node:path';
import { parse } from 'acorn';
import { build, type Plugin } from 'esbuild';

/** A file of a bundle: an ES module whose imports name other files of the bundle, or modules outside of it. */
export interface BundledFile {
  readonly text: string;
  /** The paths of the sources that it was made from. */
  readonly sources: readonly string[];
  /** The names that it exports. */
  readonly exports: readonly string[];
  /** The paths of the files that are loaded with it. */
  readonly staticImports: readonly string[];
  /** The paths of the files that it loads later. */
  readonly dynamicImports: readonly string[];
}

/** The files of a bundle by their paths in its folder. */
export type Bundle = ReadonlyMap<string, BundledFile>;

/** Returns the paths of a file and of all files that are loaded with it. */
export function findStaticClosure(
  files: Bundle,
  path: string,
  found = new Set<string>(),
): ReadonlySet<string> {
  if (!found.has(path)) {
    found.add(path);
    getFile(files, path).staticImports.forEach((imported) => findStaticClosure(files, imported, found));
  }
  return found;
}

/**
 * Merges all files that are loaded with an entry point into one, since each file takes time to find, read, and link.
 * The other files import from the merged one, so that each module still exists only once. The entry point, and merged
 * files that are imported dynamically, remain as files that re-export their names.
 * @param files the output of a build with `splitting` that has no other entry point
 * @returns the texts of the files by their paths
 */
export async function mergeStaticClosure(
  files: Bundle,
  entry: string,
  mergedPath: string,
): Promise<ReadonlyMap<string, string>> {
  const closure = findStaticClosure(files, entry);
  const merger = new Merger(files, closure, mergedPath);
  const texts = new Map<string, string>();
  for (const [path, { text }] of files) {
    if (!closure.has(path)) {
      texts.set(path, merger.redirectImports(path, text));
    }
  }
  const dynamicallyImported = new Set([...files.values()].flatMap(({ dynamicImports }) => dynamicImports));
  for (const path of closure) {
    if (path === entry || dynamicallyImported.has(path)) {
      texts.set(path, merger.createForwarder(path));
    }
  }
  texts.set(mergedPath, await merger.merge(entry));
  return texts;
}

/** Merges files. What other files import from them gets unique names, since several files may export the same name. */
class Merger {
  readonly #files: Bundle;
  readonly #merged: readonly string[];
  readonly #mergedPath: string;
  /** The export statements of the merged file. */
  readonly #exports = new Map<string, string>();

  constructor(files: Bundle, merged: Iterable<string>, mergedPath: string) {
    this.#files = files;
    this.#merged = [...merged];
    this.#mergedPath = mergedPath;
  }

  /**
   * Returns the text of a file with its imports from merged files replaced by imports from the file that they were
   * merged into.
   */
  redirectImports(path: string, text: string): string {
    let rest = text;
    const names: string[] = [];
    const statements = parse(text, { ecmaVersion: 'latest', sourceType: 'module' }).body;
    for (const statement of statements.toReversed()) {
      const source = 'source' in statement ? statement.source?.value : undefined;
      const part = typeof source === 'string' ? resolve(path, source) : undefined;
      if (part === undefined || !this.#merged.includes(part)) {
        continue;
      }
      if (statement.type !== 'ImportDeclaration') {
        throw new Error(`${path} exports from ${part}`);
      }
      for (const specifier of statement.specifiers) {
        if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') {
          throw new Error(`${path} imports other than by name from ${part}`);
        }
        names.push(`${this.#export(part, specifier.imported.name)} as ${specifier.local.name}`);
      }
      rest = rest.slice(0, statement.start) + rest.slice(statement.end);
    }
    // Imports are loaded before anything else runs, wherever they are; the merged file has run already.
    return names.length === 0 ? rest : this.#formatFrom(path, `import{${names.join(',')}}`) + rest;
  }

  /** Returns the text of a file that exports what a part exported. */
  createForwarder(path: string): string {
    const names = getFile(this.#files, path).exports.map((name) => `${this.#export(path, name)} as ${name}`);
    return `${this.#formatFrom(path, `export{${names.join(',')}}`)}\n`;
  }

  /** Returns the text of the merged file; its parts run in the same order as before. */
  async merge(entry: string): Promise<string> {
    const statements = [`import ${JSON.stringify(entry)};`, ...this.#exports.values()];
    const { outputFiles } = await build({
      stdin: { contents: statements.join('\n') },
      write: false,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'esnext',
      minify: true,
      legalComments: 'none',
      logLevel: 'warning',
      plugins: [this.#createPlugin()],
    });
    const [file] = outputFiles;
    if (file === undefined) {
      throw new Error('The merged file is missing');
    }
    return file.text;
  }

  /** Resolves the parts; everything else that is imported remains an import. */
  #createPlugin(): Plugin {
    return {
      name: 'merge-chunks',
      setup: (pluginBuild) => {
        pluginBuild.onResolve({ filter: /.*/ }, ({ path, kind, namespace, importer }) => {
          const target = namespace === 'bundle' ? resolve(importer, path) : path;
          if (target === undefined) {
            return { path, external: true };
          }
          return kind === 'dynamic-import'
            ? { path: getRelativePath(this.#mergedPath, target), external: true }
            : { path: target, namespace: 'bundle' };
        });
        pluginBuild.onLoad({ filter: /.*/, namespace: 'bundle' }, ({ path }) => ({
          contents: getFile(this.#files, path).text,
          loader: 'js',
        }));
      },
    };
  }

  /** Exports a name of a part from the merged file, and returns the name that it has there. */
  #export(part: string, name: string): string {
    const exportedName = `${name}_${this.#merged.indexOf(part)}`;
    this.#exports.set(exportedName, `export { ${name} as ${exportedName} } from ${JSON.stringify(part)};`);
    return exportedName;
  }

  #formatFrom(path: string, clause: string): string {
    return `${clause}from${JSON.stringify(getRelativePath(path, this.#mergedPath))};`;
  }
}

/** Returns the path of the file that an import names; `undefined` for a module outside of the bundle. */
const resolve = (importer: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? posix.join(posix.dirname(importer), specifier) : undefined;

function getRelativePath(importer: string, path: string): string {
  const relativePath = posix.relative(posix.dirname(importer), path);
  return relativePath.startsWith('.') ? relativePath : `./${relativePath}`;
}

function getFile(files: Bundle, path: string): BundledFile {
  const file = files.get(path);
  if (file === undefined) {
    throw new Error(`The bundle has no file ${path}`);
  }
  return file;
}
