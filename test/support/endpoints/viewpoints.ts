import {
  viewpointCreation,
  viewpointDeletion,
  viewpointUpdate,
} from '../../../src/changes/model/viewpointWrites.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { defined, type ExamplesOf, notInContract } from './example.ts';

const younger = notInContract(
  'viewpoints',
  'The viewpoint service is younger than the contract; the guide alone has it.',
);

async function firstViewpoint(client: PlatformClient) {
  const { value } = await client.viewpoints.list({ limit: 1 });
  return { viewpointId: defined(value.viewpoints[0]).id };
}

export const viewpointExamples: ExamplesOf<'viewpoints'> = {
  'viewpoints.status': {
    call: (client, _names, signal) => client.viewpoints.status(signal),
    ...younger,
  },
  'viewpoints.list': {
    call: (client, _names, signal) => client.viewpoints.list({}, signal),
    ...younger,
  },
  'viewpoints.get': {
    call: (client, { viewpointId }, signal) => client.viewpoints.get({ viewpointId }, signal),
    ...younger,
  },
  'viewpoints.create': {
    call: (client, _names, signal) => client.viewpoints.create({ name: 'Fresh', description: 'New' }, signal),
    ...younger,
    write: () => viewpointCreation({ name: 'N', description: '' }),
  },
  'viewpoints.update': {
    call: (client, { viewpointId }, signal) =>
      client.viewpoints.update({ viewpointId }, { name: 'Renamed' }, signal),
    ...younger,
    write: async (client) => viewpointUpdate(await firstViewpoint(client), { name: 'Mine' }),
  },
  'viewpoints.delete': {
    call: (client, { viewpointId }, signal) => client.viewpoints.delete({ viewpointId }, signal),
    ...younger,
    write: async (client) => viewpointDeletion(await firstViewpoint(client)),
  },
};
