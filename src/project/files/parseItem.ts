import type { Message } from '../../base/localize.ts';
import { createConflictMessage, findConflictMarker } from './conflictMarkers.ts';
import { type ExpressionReference, type JsonItemKind, fileMember, readItemFile } from './itemFile.ts';
import { parseJsonFile } from './jsonFile.ts';
import type { MisspelledName } from './misspelledName.ts';
import {
  type FileItem,
  type FilePosition,
  type ProjectProblemCode,
  getPathPosition,
  getPosition,
} from './project.ts';

/** A reference to SQL, and the table that it is in. */
export interface LocatedReference extends ExpressionReference {
  readonly tablePath: string;
  readonly getPosition: () => FilePosition;
}

/** The item in a file, or what is wrong with the file. */
export type ParseResult =
  | { readonly item: FileItem; readonly references: readonly LocatedReference[] }
  | {
      readonly fault: {
        readonly code: ProjectProblemCode;
        readonly message: Message;
        readonly position: FilePosition;
        readonly misspelled?: MisspelledName;
      };
    };

/**
 * Reads the item in a JSON file.
 * @param title the title of the datamodel that the item belongs to; empty for items that belong to none
 */
export function parseItem(
  { path, kind, text }: { readonly path: string; readonly kind: JsonItemKind; readonly text: string },
  title: string,
): ParseResult {
  const marker = findConflictMarker(text);
  if (marker !== undefined) {
    const position = getPosition(text, marker);
    return { fault: { code: 'merge-conflict', message: createConflictMessage(), position } };
  }
  const parsed = parseJsonFile(text);
  if ('fault' in parsed) {
    const { code, offset, message } = parsed.fault;
    return { fault: { code, message, position: getPosition(text, offset) } };
  }
  const result = readItemFile(kind, parsed.value, title, path.slice(path.lastIndexOf('/') + 1));
  if ('fault' in result) {
    const { path: valuePath, ...fault } = result.fault;
    return { fault: { ...fault, position: getPathPosition(text, parsed.locate(), valuePath) } };
  }
  return {
    item: { ...result.item, path, text },
    references: result.references.map((reference) => ({
      ...reference,
      tablePath: path,
      getPosition: () => getPathPosition(text, parsed.locate(), [...reference.path, fileMember]),
    })),
  };
}
