import { isJsonObject, type JsonObject, stringify } from '../../base/json.ts';
import { getTextMember } from '../documents.ts';

/** The shares of a rule: the parties that it is for. */
export const getShares = (rule: JsonObject): readonly JsonObject[] => {
  const shares = rule['shares'];
  return Array.isArray(shares) ? shares.filter(isJsonObject) : [];
};

export const isDefaultShare = (share: JsonObject): boolean => getTextMember(share, 'type') === 'default';

/** The key of a party: its type and identifier, in either spelling; names and other members of a share do not count. */
const getShareKey = (share: JsonObject): string =>
  stringify(
    isDefaultShare(share)
      ? ['default']
      : [getTextMember(share, 'type'), getTextMember(share, 'party') || getTextMember(share, 'partyId')],
  );

/** Returns one key for each share, in order. */
export const getSharePartyKeys = (rule: JsonObject): readonly string[] => getShares(rule).map(getShareKey);

/** The key of a rule's shares: equal for rules with exactly the same shares, in any order. */
export const getSharesKey = (rule: JsonObject): string =>
  stringify([...new Set(getSharePartyKeys(rule))].sort());
