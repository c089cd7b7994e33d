import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const sourceRoot = join(import.meta.dirname, '../../src');

export interface SourceFile {
  /** The path relative to `src`, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The paths relative to `src` of our own modules that it imports, including type imports. */
  readonly imports: readonly string[];
  /** The imports that are loaded together with the file: neither type imports nor dynamic ones. */
  readonly staticImports: readonly string[];
  readonly packages: readonly { readonly name: string; readonly isTypeOnly: boolean }[];
}

const importPattern =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g;

function readSource(path: string): SourceFile {
  const text = readFileSync(join(sourceRoot, path), 'utf8');
  const imports: string[] = [];
  const staticImports: string[] = [];
  const packages: { name: string; isTypeOnly: boolean }[] = [];
  for (const [, , type, staticTarget, dynamicTarget = ''] of text.matchAll(importPattern)) {
    const target = staticTarget ?? dynamicTarget;
    if (!target.startsWith('.')) {
      packages.push({ name: target, isTypeOnly: type !== undefined });
      continue;
    }
    const modulePath = relative(sourceRoot, join(sourceRoot, path, '..', target)).replaceAll('\\', '/');
    imports.push(modulePath);
    if (staticTarget !== undefined && type === undefined) {
      staticImports.push(modulePath);
    }
  }
  return { path, text, imports, staticImports, packages };
}

/** All modules of the product. */
export const productSourceFiles: readonly SourceFile[] = readdirSync(sourceRoot, {
  recursive: true,
  encoding: 'utf8',
})
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') || path.endsWith('.tsx'))
  .map(readSource);

/** Returns the paths of all modules that are reachable from the given ones, including these. */
export function getImportClosure(
  entryPoints: readonly string[],
  getNextPaths: (file: SourceFile) => readonly string[],
): ReadonlySet<string> {
  const byPath = new Map(productSourceFiles.map((file) => [file.path, file]));
  const visited = new Set<string>();
  const queue = [...entryPoints];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const file = byPath.get(path);
    if (file !== undefined && !visited.has(path)) {
      visited.add(path);
      queue.push(...getNextPaths(file));
    }
  }
  return visited;
}
