/**
 * A write without effect: it adds an empty list of rules, and the server's response shows whether the token's user may
 * change rules (rest-api.md, "Authentication" 2).
 */
export const administratorProbe = { endpoint: 'extractRules.createMany', body: [] } as const;
