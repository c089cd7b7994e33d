import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import { objectShape, textShape, integerShape } from '../../contract/shapes.ts';
import type { Deviation } from './example.ts';

/** The schema of the response to a DELETE of version 2 of the API. */
export const deletionResponse = objectShape(
  { status: integerShape, title: textShape },
  { detail: textShape, logref: textShape, sub: integerShape, type: textShape },
);

export const deletionResponseInGuide: Deviation = {
  name: 'deletion body',
  profile: 'guide',
  side: 'response',
  pattern: /^\/(status|title)$/,
  reason: 'The guide does not describe the response to a DELETE; the sandbox responds with the oid.',
};

export const statusInGuide: Deviation = {
  name: 'statuses',
  profile: 'guide',
  side: 'response',
  pattern: /^status 200 /,
  reason: 'The guide does not name statuses; the sandbox responds with 200.',
};

/** Creates the rule of the examples for one party. */
export const createRule = (party: object) => ({
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: ['North'],
  allMembers: null,
  shares: [{ ...party, type: 'user' }],
});

/** The IDs of a datamodel, a dataset and a table of the demo data. */
export const retail = { datamodelId: createSeedOid('Retail') };
export const retailSales = { ...retail, datasetId: createSeedOid('Retail/dataset/Sales') };
export const retailOrders = { ...retailSales, tableId: createSeedOid('Retail/Orders') };
