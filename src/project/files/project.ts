import { unescapePointer } from '../../base/jsonPointer.ts';
import { type JsonPath, isJsonObject } from '../../base/json.ts';
import type { Message } from '../../base/localize.ts';
import { parseLosslessJsonc } from '../../json/text/losslessJson.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import { getNamedEntries } from '../namedEntries.ts';
import type { ItemKey, ProjectItem } from '../item.ts';
import type { MisspelledName } from './misspelledName.ts';

/** An item with its file. SQL has a file of its own. */
export interface FileItem extends ProjectItem {
  /** The path of the file in its project, with `/` between the folders. */
  readonly path: string;
  readonly text: string;
}

/** A position in a file; the first line and column are 1. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

export type ProjectProblemCode =
  | 'duplicate-item'
  | 'duplicate-key'
  | 'empty-sql'
  | 'ignored-file'
  | 'inline-sql'
  | 'invalid-content'
  | 'invalid-encoding'
  | 'invalid-reference'
  | 'merge-conflict'
  | 'misnamed-file'
  | 'misnamed-folder'
  | 'misplaced-file'
  | 'missing-datamodel'
  | 'missing-sql'
  | 'shared-sql'
  | 'symbolic-link'
  | 'syntax'
  | 'unreadable'
  | 'unreferenced-sql';

/** A problem in a file of a project. */
export interface ProjectProblem extends FilePosition {
  readonly path: string;
  readonly code: ProjectProblemCode;
  /** A file with an error counts as unread. */
  readonly severity: 'error' | 'warning';
  readonly message: Message;
  /** The name that the problem is about, if it is probably misspelled. */
  readonly misspelled?: MisspelledName;
}

/** The contents of a project's files. */
export interface Project {
  /** The items, sorted by key. */
  readonly items: readonly FileItem[];
  /** Sorted by path and position. */
  readonly problems: readonly ProjectProblem[];
  /** The paths of all files of the project, including those that could not be read. */
  readonly paths: readonly string[];
  /**
   * Returns whether the project may have an item that is not in `items`, because its file, or the file with the title
   * of its datamodel, could not be read. Such an item must not be treated as absent.
   */
  mayBeInUnreadFile(key: ItemKey): boolean;
}

/** Returns the position of an offset in a text. */
export function getPosition(text: string, offset: number): FilePosition {
  const before = text.slice(0, offset);
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  return { line: (before.match(/\r\n?|\n/g)?.length ?? 0) + 1, column: offset - lineStart + 1 };
}

/**
 * Returns the position of a part of an item's content in its file, or that of the closest enclosing part.
 * @param pointer a JSON pointer; `/columns/Full Name` is the entry with this name
 */
export function findItemPosition({ key, text }: FileItem, pointer: string): FilePosition {
  if (key.kind === 'tableExpression' || key.kind === 'columnExpression') {
    return { line: 1, column: 1 };
  }
  const json = parseLosslessJsonc(text);
  const path: (string | number)[] = key.kind === 'customData' ? ['content'] : [];
  let value = key.kind === 'customData' && isJsonObject(json.value) ? json.value['content'] : json.value;
  for (const token of pointer.split('/').slice(1)) {
    const name = unescapePointer(token);
    if (Array.isArray(value)) {
      const names = [...(getNamedEntries(value)?.keys() ?? [])];
      const index = names.includes(name) ? names.indexOf(name) : Number(name);
      path.push(index);
      value = value[index];
    } else {
      path.push(name);
      value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
  }
  return getPathPosition(text, json, path);
}

/** Returns the position of the value at a path, or that of the closest enclosing value. */
export const getPathPosition = (
  text: string,
  json: Parameters<typeof getPathRange>[0],
  path: JsonPath,
): FilePosition => getPosition(text, getPathRange(json, path).start);
