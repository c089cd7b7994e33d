import type { CubeSet } from './connection.ts';

/** The cube sets of the demo data. No endpoint lists cube sets (rest-api.md, "Data security rule"). */
export const demoCubeSets: readonly CubeSet[] = [{ name: 'Regional Sales', server: 'set' }];
