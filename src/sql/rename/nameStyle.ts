import type { ExpressionContext } from '../context.ts';
import { lexInContext } from '../parsing.ts';
import { canBeUnquoted, needsQuotes, writeName } from '../quoting.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import { enquote } from '../syntax/tokens.ts';
import type { SqlName } from '../syntax/tree.ts';

/** A text with its context and its names, which determine how new names are quoted. */
export interface StyledText {
  readonly text: string;
  readonly context: ExpressionContext;
  readonly occurrences: readonly Occurrence[];
}

/**
 * Writes new names in the quoting style of the text, so that renaming back and forth restores the text. Each occurrence
 * keeps its quotes: an unquoted name stays unquoted if possible, a quoted name stays quoted. Exception: if the old name
 * needed brackets and the new name does not, the other names of the text decide, first those of the same kind, then all
 * names of the datamodel, or all names declared in the text. If there are none, column expressions use brackets for
 * names of the datamodel, and everything else is unquoted (platform-facts.md, 5.5).
 */
export class NameStyle {
  readonly #styled: StyledText;

  constructor(styled: StyledText) {
    this.#styled = styled;
  }

  /** @param quotesRiskyNames true to quote all names that are keywords in some engine */
  write(newName: string, replaced: SqlName, symbol: SqlSymbol, careful: boolean): string {
    if (this.#isString(replaced)) {
      return `'${newName.replaceAll("'", "''")}'`;
    }
    const quote = this.#isInsteadOfBrackets(replaced) ? '[' : replaced.quote;
    if ((quote === '' || quote === '[') && newName.includes(']') && this.#hasLists()) {
      return enquote(newName, '"');
    }
    const canBeBare = careful ? !needsQuotes(newName) : canBeUnquoted(newName);
    if (!canBeBare || (quote !== '' && quote !== '[')) {
      return writeName(newName, quote);
    }
    const isBracketed = quote === '[' && (canBeUnquoted(replaced.text) || this.#brackets(symbol, newName));
    return isBracketed ? writeName(newName, '[') : newName;
  }

  /** True for double quotes that are used instead of brackets, because the text contains array literals. */
  #isInsteadOfBrackets({ quote, text }: SqlName): boolean {
    return quote === '"' && text.includes(']') && this.#hasLists();
  }

  /**
   * True if the text contains array literals such as `ARRAY[[a], [b]]`. There, `]]` is not an escaped bracket, so a
   * name in brackets cannot contain `]`.
   */
  #hasLists(): boolean {
    const { text, context } = this.#styled;
    return [...lexInContext(text, context).tokens].some(
      (token) => token.kind === 'operator' && token.text === '[',
    );
  }

  /** True for a name in the form of a string, which some dialects allow: `AS 'total'`. */
  #isString({ start, quote }: SqlName): boolean {
    return quote === '' && this.#styled.text[start] === "'";
  }

  /** True if the text uses brackets for similar names that do not need them. */
  #brackets(symbol: SqlSymbol, newName: string): boolean {
    const others = this.#styled.occurrences.filter(
      (other) =>
        other.symbol !== symbol &&
        isDeclaredInText(other.symbol) === isDeclaredInText(symbol) &&
        canBeUnquoted(other.name.text) &&
        !this.#isString(other.name),
    );
    const sameKind = others.filter((other) => other.symbol.kind === symbol.kind);
    const alike = (names: readonly Occurrence[]): readonly Occurrence[] =>
      names.filter(({ name }) => needsQuotes(name.text) === needsQuotes(newName));
    const witnesses = [alike(sameKind), sameKind, alike(others), others].find(({ length }) => length > 0);
    if (witnesses === undefined) {
      return this.#styled.context.kind === 'column' && !isDeclaredInText(symbol);
    }
    const bracketed = witnesses.filter(({ name }) => name.quote === '[').length;
    return bracketed * 2 > witnesses.length;
  }
}

/** True for a symbol that is declared in the text, not in the datamodel. */
const isDeclaredInText = ({ kind }: SqlSymbol): boolean =>
  kind === 'alias' || kind === 'cte' || kind === 'output';
