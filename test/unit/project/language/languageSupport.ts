import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { LanguageEngine } from '../../../../src/project/language/languageEngine.ts';
import type { FileLocation, PositionRange } from '../../../../src/project/language/languageCalls.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { type ProjectFiles, formatFile, validFiles } from '../../../support/projectFiles.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Writes a project, and returns an engine that has read it. */
export async function createEngine(changes: ProjectFiles = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'language-'));
  folders.push(folder);
  const texts = new Map<string, string>();
  const write = (path: string, content: unknown): void => {
    const text = formatFile(content);
    texts.set(path, text.replace(/^\uFEFF/, ''));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, content] of Object.entries({ ...validFiles, ...changes })) {
    if (content !== undefined) {
      write(path, content);
    }
  }
  const engine = new LanguageEngine({ folder });
  await engine.reload();
  const getText = (path: string): string => expectDefined(texts.get(path), path);
  return {
    engine,
    folder,
    getText,
    /** Changes a file on disk; the engine does not know it. */
    write,
    /** Returns the name at the caret `|`, which stands in a part of a text. */
    findName: (path: string, marked: string) => {
      const part = marked.replace('|', '');
      const start = getText(path).indexOf(part);
      if (start === -1) {
        throw new Error(`${path} has no ${part}`);
      }
      return engine.findName({ path, offset: start + marked.indexOf('|') });
    },
    /** Returns a location as `path:line: text`. */
    describeLocation: ({ path, span }: FileLocation): string => {
      const line = getText(path).split(/\r?\n/)[span.start.line] ?? '';
      const text =
        span.start.line === span.end.line ? line.slice(span.start.character, span.end.character) : '…';
      return `${path.split('/').at(-1)}:${span.start.line + 1}: ${text}`;
    },
    /** Returns the text of a file with edits of a rename. */
    applyEdits: (path: string, edits: readonly (FileLocation & { readonly newText: string })[]): string =>
      applySpanEdits(
        getText(path),
        edits.filter((edit) => edit.path === path),
      ),
  };
}

/** Returns a text with edits. */
export function applySpanEdits(
  text: string,
  edits: readonly { readonly span: PositionRange; readonly newText: string }[],
): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const toOffset = ({ line, character }: PositionRange['start']): number => (starts[line] ?? 0) + character;
  return edits
    .toSorted((a, b) => toOffset(b.span.start) - toOffset(a.span.start))
    .reduce(
      (changed, { span, newText }) =>
        changed.slice(0, toOffset(span.start)) + newText + changed.slice(toOffset(span.end)),
      text,
    );
}
