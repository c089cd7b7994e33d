import { KnownValues } from '../../security/values/knownValues.ts';
import { ValueIndex } from '../../security/values/valueIndex.ts';

/** The values that are offered in a cell. */
export interface ValueOffer {
  readonly values: KnownValues;
  /** Why values of the instance are missing. */
  readonly problem: string | undefined;
}

/** Values that are only offered: no spelling is compared with theirs. */
export interface OfferedOnly {
  readonly values: ValueIndex;
  readonly problem: string | undefined;
}

/** Returns what is offered: the values of the rules in the grid, and all others. */
export const createOffer = (
  rules: readonly unknown[],
  otherValues: readonly ValueIndex[],
  offered: OfferedOnly | undefined,
): ValueOffer => ({
  values: new KnownValues([
    ...otherValues,
    ValueIndex.fromRules(rules),
    ...(offered === undefined ? [] : [offered.values]),
  ]),
  problem: offered?.problem,
});
