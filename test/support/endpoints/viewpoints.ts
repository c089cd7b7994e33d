import {
  createViewpointCreationWrite,
  createViewpointDeletionWrite,
  createViewpointUpdateWrite,
} from '../../../src/changes/model/viewpointWrites.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { requireDefined, type AreaExamples, declareMissingInVendorContract } from './example.ts';

const missingInVendorContract = declareMissingInVendorContract(
  'viewpoints',
  "The viewpoint service is newer than the vendor's contract; only the guide has it.",
);

async function getFirstViewpoint(client: PlatformClient) {
  const { value } = await client.viewpoints.list({ limit: 1 });
  return { viewpointId: requireDefined(value.viewpoints[0]).id };
}

export const viewpointExamples: AreaExamples<'viewpoints'> = {
  'viewpoints.status': {
    call: (client, _args, signal) => client.viewpoints.status(signal),
    ...missingInVendorContract,
  },
  'viewpoints.list': {
    call: (client, _args, signal) => client.viewpoints.list({}, signal),
    ...missingInVendorContract,
  },
  'viewpoints.get': {
    call: (client, { viewpointId }, signal) => client.viewpoints.get({ viewpointId }, signal),
    ...missingInVendorContract,
  },
  'viewpoints.create': {
    call: (client, _args, signal) => client.viewpoints.create({ name: 'Fresh', description: 'New' }, signal),
    ...missingInVendorContract,
    createWrite: () => createViewpointCreationWrite({ name: 'N', description: '' }),
  },
  'viewpoints.update': {
    call: (client, { viewpointId }, signal) =>
      client.viewpoints.update({ viewpointId }, { name: 'Renamed' }, signal),
    ...missingInVendorContract,
    createWrite: async (client) =>
      createViewpointUpdateWrite(await getFirstViewpoint(client), { name: 'Mine' }),
  },
  'viewpoints.delete': {
    call: (client, { viewpointId }, signal) => client.viewpoints.delete({ viewpointId }, signal),
    ...missingInVendorContract,
    createWrite: async (client) => createViewpointDeletionWrite(await getFirstViewpoint(client)),
  },
};
