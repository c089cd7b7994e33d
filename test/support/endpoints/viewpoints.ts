import {
  createViewpointCreationWrite,
  createViewpointDeletionWrite,
  createViewpointUpdateWrite,
} from '../../../src/changes/model/viewpointWrites.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { requireDefined, type AreaExamples, createMissingOperation } from './example.ts';

const missingInContract = createMissingOperation(
  'viewpoints',
  'The viewpoint service is newer than the contract; only the guide has it.',
);

async function getFirstViewpoint(client: PlatformClient) {
  const { value } = await client.viewpoints.list({ limit: 1 });
  return { viewpointId: requireDefined(value.viewpoints[0]).id };
}

export const viewpointExamples: AreaExamples<'viewpoints'> = {
  'viewpoints.status': {
    call: (client, _args, signal) => client.viewpoints.status(signal),
    ...missingInContract,
  },
  'viewpoints.list': {
    call: (client, _args, signal) => client.viewpoints.list({}, signal),
    ...missingInContract,
  },
  'viewpoints.get': {
    call: (client, { viewpointId }, signal) => client.viewpoints.get({ viewpointId }, signal),
    ...missingInContract,
  },
  'viewpoints.create': {
    call: (client, _args, signal) => client.viewpoints.create({ name: 'Fresh', description: 'New' }, signal),
    ...missingInContract,
    write: () => createViewpointCreationWrite({ name: 'N', description: '' }),
  },
  'viewpoints.update': {
    call: (client, { viewpointId }, signal) =>
      client.viewpoints.update({ viewpointId }, { name: 'Renamed' }, signal),
    ...missingInContract,
    write: async (client) => createViewpointUpdateWrite(await getFirstViewpoint(client), { name: 'Mine' }),
  },
  'viewpoints.delete': {
    call: (client, { viewpointId }, signal) => client.viewpoints.delete({ viewpointId }, signal),
    ...missingInContract,
    write: async (client) => createViewpointDeletionWrite(await getFirstViewpoint(client)),
  },
};
