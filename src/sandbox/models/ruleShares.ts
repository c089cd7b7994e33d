import { isJsonObject, type JsonObject, stringify } from '../../base/json.ts';
import { getTextMember } from '../documents.ts';

/** Returns the shares of a rule: the parties that it applies to. */
export const getShares = (rule: JsonObject): readonly JsonObject[] => {
  const shares = rule['shares'];
  return Array.isArray(shares) ? shares.filter(isJsonObject) : [];
};

export const isDefaultShare = (share: JsonObject): boolean => getTextMember(share, 'type') === 'default';

/** Returns a key of a share's type and party ID (`party` or `partyId`); other members are ignored. */
const getSharePartyKey = (share: JsonObject): string =>
  stringify(
    isDefaultShare(share)
      ? ['default']
      : [getTextMember(share, 'type'), getTextMember(share, 'party') || getTextMember(share, 'partyId')],
  );

/** Returns one key for each share, in order. */
export const getSharePartyKeys = (rule: JsonObject): readonly string[] =>
  getShares(rule).map(getSharePartyKey);

/** Returns a key that is equal for rules with the same parties, in any order. */
export const getSharesKey = (rule: JsonObject): string =>
  stringify([...new Set(getSharePartyKeys(rule))].sort());
