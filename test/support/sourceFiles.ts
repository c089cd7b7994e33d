import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const source = join(import.meta.dirname, '../../src');

export interface SourceFile {
  /** The path relative to `src`, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The paths relative to `src` of our own modules that it imports, including type imports. */
  readonly imports: readonly string[];
  /** The imports that are loaded together with the file: neither type imports nor dynamic ones. */
  readonly loads: readonly string[];
  readonly packages: readonly { readonly name: string; readonly typeOnly: boolean }[];
}

const importPattern =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g;

function readSource(path: string): SourceFile {
  const text = readFileSync(join(source, path), 'utf8');
  const imports: string[] = [];
  const loads: string[] = [];
  const packages: { name: string; typeOnly: boolean }[] = [];
  for (const [, , type, fixed, dynamic = ''] of text.matchAll(importPattern)) {
    const target = fixed ?? dynamic;
    if (!target.startsWith('.')) {
      packages.push({ name: target, typeOnly: type !== undefined });
      continue;
    }
    const own = relative(source, join(source, path, '..', target)).replaceAll('\\', '/');
    imports.push(own);
    if (fixed !== undefined && type === undefined) {
      loads.push(own);
    }
  }
  return { path, text, imports, loads, packages };
}

/** All modules of the product. */
export const productSourceFiles: readonly SourceFile[] = readdirSync(source, {
  recursive: true,
  encoding: 'utf8',
})
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') || path.endsWith('.tsx'))
  .map(readSource);

/** Returns the paths of all modules that are reachable from the given ones, including these. */
export function getImportClosure(
  starts: readonly string[],
  step: (file: SourceFile) => readonly string[],
): ReadonlySet<string> {
  const byPath = new Map(productSourceFiles.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path);
    if (file !== undefined && !reached.has(path)) {
      reached.add(path);
      waiting.push(...step(file));
    }
  }
  return reached;
}
