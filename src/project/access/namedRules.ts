import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import type { Localize } from '../../base/localize.ts';
import { getObjects } from '../../changes/model/jsonMembers.ts';
import { type ParsedRule, readRules } from '../../security/readRules.ts';
import { formatRule } from '../../webviews/protocol/ruleFormat.ts';

/** Describes the rules in the file of a column, each with its parties. */
export const describeRules = (rules: JsonValue, t: Localize): readonly string[] =>
  readNamedRules(rules, t).map(({ grant, parties }) =>
    formatRule({ grant, parties: parties.map(({ type, id = '' }) => ({ type, name: id })) }, t),
  );

/** Reads the rules of a file, with readable names of parties. */
export const readNamedRules = (rules: JsonValue, t: Localize): readonly ParsedRule[] =>
  readRules(nameParties(rules, t));

/** Replaces the parties that a file refers to by their number in the lock file with readable names. */
export const nameParties = (rules: JsonValue, t: Localize): readonly JsonObject[] =>
  getObjects(rules).map((rule) => ({
    ...rule,
    shares: getObjects(rule['shares']).map((share) => {
      const { party } = share;
      return isJsonObject(party)
        ? { ...share, party: t('number {0} in the lock file', stringify(party['bound'])) }
        : share;
    }),
  }));
