import { needsQuotes, writeName } from '../quoting.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import type { Name } from '../syntax/tree.ts';

/**
 * Writes new names the way a text writes its names. A quote stays what it was; a bare name gets `[ ]` only
 * when it needs them. Brackets that the old name needed and the new one does not are kept only in a text that
 * brackets such names elsewhere: so renaming there and back leaves the text as it was.
 */
export class NameStyle {
  readonly #occurrences: readonly Occurrence[];

  constructor(occurrences: readonly Occurrence[]) {
    this.#occurrences = occurrences;
  }

  write(newName: string, replaced: Name, symbol: SqlSymbol): string {
    const { quote } = replaced;
    if (quote !== '[' || needsQuotes(newName) || !needsQuotes(replaced.text)) {
      return writeName(newName, quote);
    }
    return writeName(newName, this.#bracketsPlainNames(symbol) ? '[' : '');
  }

  /** True when names that need no quotes carry brackets nevertheless; names of the same kind tell first. */
  #bracketsPlainNames(symbol: SqlSymbol): boolean {
    const isColumn = symbol.kind === 'column' || symbol.kind === 'output';
    const others = this.#occurrences.filter(
      (other) => other.symbol !== symbol && other.symbol.kind !== 'alias' && !needsQuotes(other.name.text),
    );
    const sameKind = others.filter(
      (other) => isColumn === (other.symbol.kind === 'column' || other.symbol.kind === 'output'),
    );
    const witnesses = sameKind.length > 0 ? sameKind : others;
    const bracketed = witnesses.filter(({ name }) => name.quote === '[').length;
    return witnesses.length === 0 || bracketed * 2 > witnesses.length;
  }
}
