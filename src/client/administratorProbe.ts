/**
 * A write that asks for nothing: rules are added, and there are none. It changes nothing, and the server says whether the
 * token's user would be allowed to (spec, "Authentication" 2).
 */
export const administratorProbe = { endpoint: 'extractRules.createMany', body: [] } as const;
