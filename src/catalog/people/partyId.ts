/** The form of the platform's IDs of users and groups (platform-facts.md, 3.1 and 6.2, `_id`). */
const idPattern = /^[0-9a-f]{24}$/i;

/** True if a text looks like the ID of a user or group. Other texts are names unless a source reports them as IDs. */
export const isPartyId = (text: string): boolean => idPattern.test(text);
