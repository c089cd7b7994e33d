import type { UnknownObject } from '../readRules.ts';
import type { ColumnName } from '../tableAccess.ts';
import { type NamedValues, ValueIndex } from './valueIndex.ts';

/**
 * The known values of columns, collected from rules and other documents, since no endpoint lists them
 * (rest-api.md, "What is not described"). They are suggested where values are typed. A value that differs from one of
 * them only in letter case or surrounding spaces is probably a mistake: rules compare values exactly, so it would match
 * no row.
 */
export class KnownValues {
  readonly #indexes: readonly ValueIndex[];
  /**
   * The values in saved versions of documents whose current version is in `#indexes` too. They are subtracted from the
   * counts, so that each document counts once.
   */
  readonly #replacedIndexes: readonly ValueIndex[];
  readonly #sortedValues = new Map<string, readonly string[]>();

  constructor(indexes: readonly ValueIndex[], replacedIndexes: readonly ValueIndex[] = []) {
    this.#indexes = indexes;
    this.#replacedIndexes = replacedIndexes;
  }

  /** Returns these values with the rules of a document instead of their saved versions, which have the same ID. */
  withRules(rules: readonly unknown[]): KnownValues {
    const index = ValueIndex.fromRules(rules);
    const ids = rules.map((rule) => (rule as UnknownObject | null)?.['_id']);
    const savedValues = ids.flatMap(
      (id) =>
        this.#indexes
          .map((valueIndex) => valueIndex.getRuleValues(id))
          .find((values) => values !== undefined) ?? [],
    );
    return new KnownValues(
      [...this.#indexes, index],
      [...this.#replacedIndexes, ValueIndex.fromNamedValues(savedValues)],
    );
  }

  /** Returns the known values of a column in alphabetical order. */
  getValues(column: ColumnName): readonly string[] {
    const key = JSON.stringify([column.table, column.column]);
    const values =
      this.#sortedValues.get(key) ??
      [...new Set(this.#indexes.flatMap((index) => index.getValues(column)))]
        .filter((value) => this.#count(column, value) > 0)
        .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    this.#sortedValues.set(key, values);
    return values;
  }

  /** Returns whether any document spells a value of a column differently, however often. */
  hasOtherSpellings(column: ColumnName, value: string): boolean {
    return this.#getOtherSpellings(column, value).size > 0;
  }

  /**
   * Returns the spelling of a value that other rules of the column use, if they use it more often than the given one.
   * @param ownValues the values that the rule itself contributes to the known values
   */
  findOtherSpelling(column: ColumnName, value: string, ownValues?: ReadonlySet<string>): string | undefined {
    const getCount = (spelling: string): number =>
      Math.max(0, this.#count(column, spelling) - (ownValues?.has(spelling) === true ? 1 : 0));
    const count = getCount(value);
    return [...this.#getOtherSpellings(column, value)]
      .filter((spelling) => getCount(spelling) > count)
      .sort((a, b) => getCount(b) - getCount(a) || (a < b ? -1 : 1))[0];
  }

  /** Returns the values of a rule that other rules on its column spell differently, with that spelling. */
  findOtherSpellings({ table, column, values }: NamedValues): readonly OtherSpelling[] {
    return [...values].flatMap((value) => {
      const otherSpelling = this.findOtherSpelling({ table, column }, value, values);
      return otherSpelling === undefined ? [] : [{ value, otherSpelling }];
    });
  }

  #getOtherSpellings(column: ColumnName, value: string): ReadonlySet<string> {
    const spellings = new Set(this.#indexes.flatMap((index) => index.getSpellings(column, value)));
    spellings.delete(value);
    return spellings;
  }

  #count(column: ColumnName, value: string): number {
    const sum = (indexes: readonly ValueIndex[]): number =>
      indexes.reduce((total, index) => total + index.getCount(column, value), 0);
    return sum(this.#indexes) - sum(this.#replacedIndexes);
  }
}

/** A value, and its spelling in other rules on the same column. */
export interface OtherSpelling {
  readonly value: string;
  readonly otherSpelling: string;
}

/** The known values without any documents. */
export const noKnownValues = new KnownValues([]);
