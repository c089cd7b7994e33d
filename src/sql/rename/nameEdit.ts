import { formatSqlName } from '../quoting.ts';
import { findSymbolOccurrences } from '../features/occurrences.ts';
import { lookUpColumn } from '../scope/lookup.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import { NameStyle, type ResolvedText } from './nameStyle.ts';
import type { TextEdit } from '../../base/textEdit.ts';

/** A replacement of a name, with an optional qualifier. */
export interface NameEdit {
  readonly start: number;
  readonly end: number;
  /** The qualifier with its dot, such as `o.`, or an empty string. */
  readonly qualifier: string;
  readonly name: string;
}

/** Options for writing names. */
export interface NameWritingOptions {
  readonly newName: string;
  /** True to quote all names that are keywords in some engine. */
  readonly quotesRiskyNames: boolean;
  /** Offsets of unqualified columns that get a qualifier, so that they still refer to the same column. */
  readonly qualifiedOffsets: ReadonlySet<number>;
}

/** Creates the edits that rename all occurrences of a symbol. */
export function createNameEdits(
  resolvedText: ResolvedText,
  symbol: SqlSymbol,
  { newName, quotesRiskyNames, qualifiedOffsets }: NameWritingOptions,
): readonly NameEdit[] {
  const style = new NameStyle(resolvedText);
  return findSymbolOccurrences(resolvedText.occurrences, symbol).map((occurrence) => {
    const { name } = occurrence;
    const source = qualifiedOffsets.has(name.start) ? getSourceName(occurrence) : '';
    return {
      start: name.start,
      end: name.end,
      qualifier: source === '' ? '' : `${formatSqlName(source)}.`,
      name: style.write(newName, name, symbol, quotesRiskyNames),
    };
  });
}

export const toTextEdits = (edits: readonly NameEdit[]): readonly TextEdit[] =>
  edits.map(({ start, end, qualifier, name }) => ({ start, end, newText: qualifier + name }));

/** Returns the name of the source of an unqualified column; `''` if the occurrence cannot be qualified. */
function getSourceName({ name, scope }: Occurrence): string {
  return (scope && lookUpColumn(scope, [name]).source?.name) ?? '';
}
