import { KnownValues } from '../../security/values/knownValues.ts';
import { ValueIndex } from '../../security/values/valueIndex.ts';

/** The values that are offered in a cell. */
export interface ValueOffer {
  readonly values: KnownValues;
  /** Why values of the instance are missing. */
  readonly problem: string | undefined;
}

/** Values that are only offered: the spelling of other values is not compared with theirs. */
export interface OfferOnlyValues {
  readonly values: ValueIndex;
  readonly problem: string | undefined;
}

/**
 * Creates the offer: the values of the rules in the grid, those of other documents, and those that are only offered.
 */
export const createValueOffer = (
  rules: readonly unknown[],
  otherValues: readonly ValueIndex[],
  offerOnlyValues: OfferOnlyValues | undefined,
): ValueOffer => ({
  values: new KnownValues([
    ...otherValues,
    ValueIndex.fromRules(rules),
    ...(offerOnlyValues === undefined ? [] : [offerOnlyValues.values]),
  ]),
  problem: offerOnlyValues?.problem,
});
