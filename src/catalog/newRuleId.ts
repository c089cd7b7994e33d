/** The first character of the ID of a rule that is not on a server yet; no server assigns such an ID. */
const newRuleIdPrefix = '+';

/** Returns an ID for a rule until its first save creates it on the server. Unique, because it contains the time. */
export const createNewRuleId = (now: number): string => `${newRuleIdPrefix}${now.toString(36)}`;

export const isNewRuleId = (ruleId: string): boolean => ruleId.startsWith(newRuleIdPrefix);
