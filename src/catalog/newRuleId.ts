/** The first character of the ID of a rule that is not on a server yet; no server assigns such an ID. */
const prefix = '+';

/** Returns an ID for the document of a rule that a save creates; it differs from all former ones. */
export const createNewRuleId = (now: number): string => `${prefix}${now.toString(36)}`;

export const isNewRuleId = (ruleId: string): boolean => ruleId.startsWith(prefix);
