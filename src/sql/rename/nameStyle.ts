import type { ExpressionContext } from '../context.ts';
import { lexInContext } from '../parsing.ts';
import { canBeUnquoted, needsQuotes, formatSqlName } from '../quoting.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import { quoteName } from '../syntax/lexedText.ts';
import type { SqlName } from '../syntax/tree.ts';

/** A text with its context and its names, which determine how new names are quoted. */
export interface ResolvedText {
  readonly text: string;
  readonly context: ExpressionContext;
  readonly occurrences: readonly Occurrence[];
}

/**
 * Writes new names in the quoting style of the text, so that renaming back and forth restores the text. Each occurrence
 * keeps its quotes: an unquoted name stays unquoted if possible, a quoted name stays quoted. Exception: if the old name
 * needed brackets and the new name does not, the other names of the text decide, first those of the same kind, then all
 * names of the datamodel, or all names declared in the text. If there are no such names, column expressions use
 * brackets for names of the datamodel, and everything else is unquoted (platform-facts.md, 5.5).
 */
export class NameStyle {
  readonly #resolvedText: ResolvedText;

  constructor(resolvedText: ResolvedText) {
    this.#resolvedText = resolvedText;
  }

  /** @param quotesRiskyNames true to quote all names that are keywords in some engine */
  write(newName: string, replacedName: SqlName, symbol: SqlSymbol, quotesRiskyNames: boolean): string {
    if (this.#isString(replacedName)) {
      return `'${newName.replaceAll("'", "''")}'`;
    }
    const quote = this.#replacesBrackets(replacedName) ? '[' : replacedName.quote;
    if ((quote === '' || quote === '[') && newName.includes(']') && this.#hasArrayLiterals()) {
      return quoteName(newName, '"');
    }
    const canOmitQuotes = quotesRiskyNames ? !needsQuotes(newName) : canBeUnquoted(newName);
    if (!canOmitQuotes || (quote !== '' && quote !== '[')) {
      return formatSqlName(newName, quote);
    }
    const isBracketed =
      quote === '[' && (canBeUnquoted(replacedName.text) || this.#prefersBrackets(symbol, newName));
    return isBracketed ? formatSqlName(newName, '[') : newName;
  }

  /** True for double quotes that are used instead of brackets, because the text contains array literals. */
  #replacesBrackets({ quote, text }: SqlName): boolean {
    return quote === '"' && text.includes(']') && this.#hasArrayLiterals();
  }

  /**
   * True if the text contains array literals such as `ARRAY[[a], [b]]`. There, `]]` is not an escaped bracket, so a
   * name in brackets cannot contain `]`.
   */
  #hasArrayLiterals(): boolean {
    const { text, context } = this.#resolvedText;
    return [...lexInContext(text, context).tokens].some(
      (token) => token.kind === 'operator' && token.symbol === '[',
    );
  }

  /** True for a name in the form of a string, which some dialects allow: `AS 'total'`. */
  #isString({ start, quote }: SqlName): boolean {
    return quote === '' && this.#resolvedText.text[start] === "'";
  }

  /** True if the text uses brackets for similar names that do not need them. */
  #prefersBrackets(symbol: SqlSymbol, newName: string): boolean {
    const otherOccurrences = this.#resolvedText.occurrences.filter(
      (other) =>
        other.symbol !== symbol &&
        isDeclaredInText(other.symbol) === isDeclaredInText(symbol) &&
        canBeUnquoted(other.name.text) &&
        !this.#isString(other.name),
    );
    const sameKindOccurrences = otherOccurrences.filter((other) => other.symbol.kind === symbol.kind);
    const filterByQuoting = (names: readonly Occurrence[]): readonly Occurrence[] =>
      names.filter(({ name }) => needsQuotes(name.text) === needsQuotes(newName));
    const examples = [
      filterByQuoting(sameKindOccurrences),
      sameKindOccurrences,
      filterByQuoting(otherOccurrences),
      otherOccurrences,
    ].find(({ length }) => length > 0);
    if (examples === undefined) {
      return this.#resolvedText.context.kind === 'column' && !isDeclaredInText(symbol);
    }
    const bracketedCount = examples.filter(({ name }) => name.quote === '[').length;
    return bracketedCount * 2 > examples.length;
  }
}

/** True for a symbol that is declared in the text, not in the datamodel. */
const isDeclaredInText = ({ kind }: SqlSymbol): boolean =>
  kind === 'alias' || kind === 'cte' || kind === 'output';
