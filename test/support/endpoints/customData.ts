import {
  createCustomDataDeletionWrite,
  createCustomDataUpdateWrite,
  createObjectCreationWrite,
} from '../../../src/changes/model/customDataWrites.ts';
import { anyObjectShape, listShape, objectShape } from '../../contract/shapes.ts';
import type { AreaExamples } from './example.ts';

export const customDataExamples: AreaExamples<'customData'> = {
  'customData.list': {
    call: (client, _args, signal) => client.customData.list(signal),
    vendorOperation: {
      signature: 'v1.0 GET /custom_data',
      statuses: [200],
      response: listShape(anyObjectShape),
    },
  },
  'customData.query': {
    call: (client, _args, signal) => client.customData.query({ app: 'notes' }, signal),
    vendorOperation: {
      signature: 'v1.0 GET /custom_data/query',
      statuses: [200],
      query: ['query'],
      response: anyObjectShape,
    },
    deviations: [
      {
        name: 'list of custom data',
        side: 'response',
        pattern: /^\/$/,
        reason:
          "A mistake in the vendor's contract: its schema is an object, while its text describes documents; clients read an array.",
      },
    ],
  },
  'customData.create': {
    call: (client, _args, signal) => client.customData.create({ app: 'notes' }, signal),
    vendorOperation: {
      signature: 'v1.0 POST /custom_data',
      statuses: [201],
      request: anyObjectShape,
      response: anyObjectShape,
    },
    createWrite: () => createObjectCreationWrite({ app: 'notes' }),
  },
  'customData.updateMatching': {
    call: (client, _args, signal) =>
      client.customData.updateMatching(
        { queryForSearch: { app: 'notes' }, objectForUpdate: { done: true } },
        signal,
      ),
    vendorOperation: {
      signature: 'v1.0 PATCH /custom_data/query',
      statuses: [200],
      request: objectShape({ queryForSearch: anyObjectShape, objectForUpdate: anyObjectShape }),
      response: anyObjectShape,
    },
    createWrite: () => createCustomDataUpdateWrite({}, { fresh: 1 }),
  },
  'customData.deleteMatching': {
    call: (client, _args, signal) => client.customData.deleteMatching({ app: 'notes' }, signal),
    vendorOperation: {
      signature: 'v1.0 DELETE /custom_data/query',
      statuses: [200],
      request: anyObjectShape,
      response: anyObjectShape,
    },
    createWrite: () => createCustomDataDeletionWrite({}),
  },
};
