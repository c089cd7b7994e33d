import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import type { Catalog } from '../../src/sql/index.ts';

/** The SQL completion of another library, with which our own is compared. */
export interface CompletionPeer {
  /** Parses the whole text and completes, as the product does. */
  complete(text: string, offset: number): unknown;
  /** Completes after one typed letter, reusing the state that the library keeps; absent if it keeps none. */
  createTypingSession?(text: string): (offset: number) => unknown;
}

interface Trino {
  getSuggestionAtCaretPosition(text: string, caret: { lineNumber: number; column: number }): unknown;
  getAllEntities(text: string, caret: { lineNumber: number; column: number }): unknown;
}

interface State {
  update(spec: { changes: { from: number; insert: string } }): { state: State };
}

interface CodeMirror {
  StandardSQL: unknown;
  sql(config: object): unknown;
  schemaCompletionSource(config: object): (context: unknown) => unknown;
  EditorState: { create(config: object): State };
  CompletionContext: new (state: State, pos: number, explicit: boolean) => unknown;
  ensureSyntaxTree(state: State, end: number, timeout: number): unknown;
}

/**
 * Loads packages that are optional development dependencies; returns `undefined` if one is not installed. Bundles them
 * first, since some can't be imported by Node directly. All names share one bundle, because two copies of a library
 * don't recognize each other's objects.
 */
async function loadPackages<T>(...names: readonly string[]): Promise<T | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'sql-peers-'));
  try {
    const contents = names.map((name) => `export * from ${JSON.stringify(name)};`).join('\n');
    const outfile = join(folder, 'peer.mjs');
    const stdin = { contents, resolveDir: import.meta.dirname };
    buildSync({
      stdin,
      bundle: true,
      format: 'esm',
      mainFields: ['module', 'main'],
      outfile,
      logLevel: 'silent',
    });
    const module: T = await import(pathToFileURL(outfile).href);
    return module;
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Loads dt-sql-parser and completes as its users do: expected keywords, and the tables and aliases in scope. */
export async function loadDtSqlParser(): Promise<CompletionPeer | undefined> {
  const module = await loadPackages<{ TrinoSQL: new () => Trino }>('dt-sql-parser');
  if (module === undefined) {
    return undefined;
  }
  return {
    complete(text, offset) {
      const before = text.slice(0, offset).split('\n');
      const caret = { lineNumber: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
      const parser = new module.TrinoSQL();
      return [parser.getSuggestionAtCaretPosition(text, caret), parser.getAllEntities(text, caret)];
    },
  };
}

/** Loads @codemirror/lang-sql, with the catalog as its schema. */
export async function loadCodeMirror(catalog: Catalog): Promise<CompletionPeer | undefined> {
  const lib = await loadPackages<CodeMirror>(
    '@codemirror/lang-sql',
    '@codemirror/state',
    '@codemirror/autocomplete',
    '@codemirror/language',
  );
  if (lib === undefined) {
    return undefined;
  }
  const schema = Object.fromEntries(
    catalog.tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
  );
  const config = { dialect: lib.StandardSQL, schema };
  const source = lib.schemaCompletionSource(config);
  const extensions = [lib.sql(config)];
  const completeIn = (state: State, end: number, offset: number): unknown => {
    lib.ensureSyntaxTree(state, end, 5000);
    return source(new lib.CompletionContext(state, offset, true));
  };
  return {
    complete: (text, offset) =>
      completeIn(lib.EditorState.create({ doc: text, extensions }), text.length, offset),
    createTypingSession(text) {
      const initialState = lib.EditorState.create({ doc: text, extensions });
      lib.ensureSyntaxTree(initialState, text.length, 5000);
      return (offset) =>
        completeIn(
          initialState.update({ changes: { from: offset, insert: 'a' } }).state,
          text.length + 1,
          offset + 1,
        );
    },
  };
}
