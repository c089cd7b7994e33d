/** The fixed words of data security rules, free of the schemas, so that what runs in a page stays small. */

export const partyTypes = ['user', 'group', 'default'] as const;
export type PartyType = (typeof partyTypes)[number];

/** The term that stands for the server where a cube set is meant (spec, "Data security rule"). */
export const cubeSetServer = 'set';

/** The mandatory prefix of a live rule's `fullname` (spec). */
export const livePrefix = 'live:';
