import { isJsonObject, type JsonObject, stringify } from '../../base/json.ts';
import { getTextMember } from '../documents.ts';

/** Whom a rule is for. */
export const getShares = (rule: JsonObject): readonly JsonObject[] => {
  const shares = rule['shares'];
  return Array.isArray(shares) ? shares.filter(isJsonObject) : [];
};

export const isDefaultShare = (share: JsonObject): boolean => getTextMember(share, 'type') === 'default';

/** A party as its type and identifier, in either spelling; names and what else a share carries do not count. */
const getShareKey = (share: JsonObject): string =>
  stringify(
    isDefaultShare(share)
      ? ['default']
      : [getTextMember(share, 'type'), getTextMember(share, 'party') || getTextMember(share, 'partyId')],
  );

/** One key for each share, in their order. */
export const getSharePartyKeys = (rule: JsonObject): readonly string[] => getShares(rule).map(getShareKey);

/** Equal for rules with exactly the same shares, whatever their order. */
export const getSharesKey = (rule: JsonObject): string =>
  stringify([...new Set(getSharePartyKeys(rule))].sort());
