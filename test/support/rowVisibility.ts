import type { ListCombination } from '../../src/security/columnAccess.ts';
import { groupRulesByColumn } from '../../src/security/columnAccess.ts';
import { getPartyAccess } from '../../src/security/effectiveAccess.ts';
import { readRules } from '../../src/security/readRules.ts';

export interface TestParty {
  readonly userId?: string;
  readonly groupIds: readonly string[];
}

/** A table with all pairs of values of two columns. Computes the rows that parties see. */
export class TwoColumnTable {
  readonly #columns: readonly { readonly name: string; readonly values: readonly string[] }[];

  constructor(...columns: readonly { readonly name: string; readonly values: readonly string[] }[]) {
    this.#columns = columns;
  }

  /**
   * Returns the rows that each party sees, for each way of combining group lists. Uncertain access counts as access to
   * everything.
   */
  getVisibleRows(rules: readonly unknown[], parties: readonly TestParty[]): readonly ReadonlySet<string>[] {
    const columnRules = groupRulesByColumn(readRules(rules));
    return parties.flatMap((party) =>
      (['union', 'intersection'] as const).map((groups) => this.#getRows(columnRules, party, groups)),
    );
  }

  #getRows(
    columnRules: ReturnType<typeof groupRulesByColumn>,
    party: TestParty,
    groups: ListCombination,
  ): ReadonlySet<string> {
    const access = getPartyAccess(columnRules, party, { groups });
    const [first = [], second = []] = this.#columns.map(({ name, values }) =>
      values.filter((value) =>
        access
          .filter(({ column }) => column === name)
          .every(({ access: set }) =>
            typeof set === 'string' ? true : set.values.has(value) === (set.kind === 'only'),
          ),
      ),
    );
    return new Set(first.flatMap((a) => second.map((b) => `${a} | ${b}`)));
  }
}
