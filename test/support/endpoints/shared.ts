import { oid } from '../../../src/sandbox/seeds/ids.ts';
import { shape, text, whole } from '../../contract/shapes.ts';
import type { Deviation } from './example.ts';

/** What a v2 DELETE answers. */
export const removed = shape(
  { status: whole, title: text },
  { detail: text, logref: text, sub: whole, type: text },
);

export const removedInGuide: Deviation = {
  name: 'removed',
  profile: 'guide',
  side: 'answer',
  at: /^\/(status|title)$/,
  reason: 'The spec does not show what a DELETE answers; the guide tells the oid.',
};

export const statusInGuide: Deviation = {
  name: 'statuses',
  profile: 'guide',
  side: 'answer',
  at: /^status 200 /,
  reason: 'The spec names no status but the one of each error; the guide answers 200.',
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
export const retail = { datamodelId: oid('Retail') };
export const retailSales = { ...retail, datasetId: oid('Retail/dataset/Sales') };
export const retailOrders = { ...retailSales, tableId: oid('Retail/Orders') };
