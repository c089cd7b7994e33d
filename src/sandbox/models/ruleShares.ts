import { isJsonObject, type JsonObject, stringify } from '../../base/json.ts';
import { textIn } from '../documents.ts';

/** Whom a rule is for. */
export const sharesOf = (rule: JsonObject): readonly JsonObject[] => {
  const shares = rule['shares'];
  return Array.isArray(shares) ? shares.filter(isJsonObject) : [];
};

export const isDefaultShare = (share: JsonObject): boolean => textIn(share, 'type') === 'default';

/** A party as its type and identifier, in either spelling; names and what else a share carries do not count. */
const keyOf = (share: JsonObject): string =>
  stringify(
    isDefaultShare(share)
      ? ['default']
      : [textIn(share, 'type'), textIn(share, 'party') || textIn(share, 'partyId')],
  );

/** One key for each share, in their order. */
export const partyKeys = (rule: JsonObject): readonly string[] => sharesOf(rule).map(keyOf);

/** Equal for rules with exactly the same shares, whatever their order. */
export const sharesKey = (rule: JsonObject): string => stringify([...new Set(partyKeys(rule))].sort());
