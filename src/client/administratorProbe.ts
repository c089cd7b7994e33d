/**
 * A write without effect: adds an empty list of rules. It changes nothing, and the server's response shows whether the
 * token's user would be allowed to (rest-api.md, "Authentication" 2).
 */
export const administratorProbe = { endpoint: 'extractRules.createMany', body: [] } as const;
