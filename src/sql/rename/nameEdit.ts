import { writeName } from '../quoting.ts';
import { findSymbolOccurrences } from '../features/occurrences.ts';
import { lookUpColumn } from '../scope/lookup.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import { NameStyle, type StyledText } from './nameStyle.ts';
import type { TextEdit } from '../../base/textEdit.ts';

/** A name that replaces another, with the qualifier to put in front of it. */
export interface NameEdit {
  readonly start: number;
  readonly end: number;
  /** `o.` or empty. */
  readonly qualifier: string;
  readonly name: string;
}

/** Options for writing names. */
export interface NameWritingOptions {
  readonly newName: string;
  /** Quotes names that some engine may not read as a name. */
  readonly careful: boolean;
  /** Offsets of the bare columns that get the name of their source in front, so that their meaning does not change. */
  readonly qualified: ReadonlySet<number>;
}

/** Returns the edits that rename a symbol at all its places. */
export function createNameEdits(
  styled: StyledText,
  symbol: SqlSymbol,
  { newName, careful, qualified }: NameWritingOptions,
): readonly NameEdit[] {
  const style = new NameStyle(styled);
  return findSymbolOccurrences(styled.occurrences, symbol).map((occurrence) => {
    const { name } = occurrence;
    const source = qualified.has(name.start) ? getSourceName(occurrence) : '';
    return {
      start: name.start,
      end: name.end,
      qualifier: source === '' ? '' : `${writeName(source)}.`,
      name: style.write(newName, name, symbol, careful),
    };
  });
}

export const toTextEdits = (edits: readonly NameEdit[]): readonly TextEdit[] =>
  edits.map(({ start, end, qualifier, name }) => ({ start, end, newText: qualifier + name }));

/** Returns the name of the source that a bare column belongs to; `''` if the column cannot be qualified by it. */
function getSourceName({ name, scope }: Occurrence): string {
  return scope === undefined ? '' : (lookUpColumn(scope, [name]).source?.name ?? '');
}
