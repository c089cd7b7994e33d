import type { ExpressionContext } from '../context.ts';
import { lexInContext } from '../parsing.ts';
import { canBeUnquoted, needsQuotes, writeName } from '../quoting.ts';
import type { Occurrence } from '../scope/occurrence.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import { enquote } from '../syntax/tokens.ts';
import type { SqlName } from '../syntax/tree.ts';

/** The text whose names are written, with its context. */
export interface StyledText {
  readonly text: string;
  readonly context: ExpressionContext;
  readonly occurrences: readonly Occurrence[];
}

/**
 * Writes new names in the style of the text, so that renaming back and forth leaves a text as it was. Each place keeps
 * its own quotes: a bare name stays bare if it can, a quoted one stays quoted. Only if the old name had to be in
 * brackets and the new one need not be, the place itself does not determine the style. Then the other names of the text
 * do: those of the same kind, then also those that are the datamodel's, or the text's own. If it has none, queries and
 * their own names are written bare, and columns in brackets, as platform-facts.md, 5.5 has them.
 */
export class NameStyle {
  readonly #styled: StyledText;

  constructor(styled: StyledText) {
    this.#styled = styled;
  }

  /** @param careful quotes names that some engine may not read as a name */
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

  /** True for double quotes that would be brackets if the text had no lists. */
  #isInsteadOfBrackets({ quote, text }: SqlName): boolean {
    return quote === '"' && text.includes(']') && this.#hasLists();
  }

  /**
   * `ARRAY[[a], [b]]`: two consecutive brackets are not an escape in a list, so no bracketed name can contain one
   * there.
   */
  #hasLists(): boolean {
    const { text, context } = this.#styled;
    return [...lexInContext(text, context).tokens].some(
      (token) => token.kind === 'operator' && token.text === '[',
    );
  }

  /** `AS 'total'`: some dialects write a new name as text. */
  #isString({ start, quote }: SqlName): boolean {
    return quote === '' && this.#styled.text[start] === "'";
  }

  /** True if the text brackets names that could be bare as well as this one. */
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

/** True for a name that the text itself declares. */
const isDeclaredInText = ({ kind }: SqlSymbol): boolean =>
  kind === 'alias' || kind === 'cte' || kind === 'output';
