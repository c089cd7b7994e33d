/** The form of the platform's identifiers of users and groups (platform-facts 3.1; contract v1.0, `_id`). */
const idPattern = /^[0-9a-f]{24}$/i;

/** Whether a text looks like an identifier of a user or group. What does not is a name until somebody reports it. */
export const isPartyId = (text: string): boolean => idPattern.test(text);
