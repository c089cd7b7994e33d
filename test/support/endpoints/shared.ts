import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import { objectShape, textShape, integerShape } from '../../contract/shapes.ts';
import type { Deviation } from './example.ts';

/** The response to a v2 DELETE. */
export const removed = objectShape(
  { status: integerShape, title: textShape },
  { detail: textShape, logref: textShape, sub: integerShape, type: textShape },
);

export const removedInGuide: Deviation = {
  name: 'removed',
  profile: 'guide',
  side: 'answer',
  at: /^\/(status|title)$/,
  reason: 'The guide does not show what a DELETE answers; the guide shows the oid.',
};

export const statusInGuide: Deviation = {
  name: 'statuses',
  profile: 'guide',
  side: 'answer',
  at: /^status 200 /,
  reason: 'The guide names no status but the one of each error; the sandbox answers 200.',
};

/** The rule of the examples, for one party. */
export const ruleFor = (party: object) => ({
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: ['North'],
  allMembers: null,
  shares: [{ ...party, type: 'user' }],
});

/** A datamodel of the demo. */
export const retail = { datamodelId: createSeedOid('Retail') };
export const retailSales = { ...retail, datasetId: createSeedOid('Retail/dataset/Sales') };
export const retailOrders = { ...retailSales, tableId: createSeedOid('Retail/Orders') };
