import {
  listShape,
  objectShape,
  textShape,
  uuidShape,
  integerShape,
  enumShape,
} from '../../contract/shapes.ts';
import type { Deviation, AreaExamples } from './example.ts';
import { statusInGuide } from './shared.ts';

const fields = {
  oid: uuidShape,
  datamodelId: uuidShape,
  buildType: enumShape('schema-changes', 'by-table', 'full', 'publish'),
  status: enumShape('pending', 'building', 'done', 'cancelled', 'failed'),
  datamodelTitle: textShape,
  datamodelType: enumShape('extract', 'live'),
  indexSize: enumShape('short', 'long'),
  instanceId: textShape,
  schemaLastUpdate: textShape,
  created: textShape,
  started: textShape,
  completed: textShape,
  rowLimit: integerShape,
  source: enumShape('rest', 'nextecm', 'scheduler', 'cli'),
};
const output = objectShape({}, fields);

const buildTypesInGuide: Deviation = {
  name: 'spelling of build types',
  profile: 'guide',
  side: 'response',
  pattern: /\/buildType$/,
  reason: 'The guide spells the build types of requests with underscores; the sandbox returns what was sent.',
};

export const buildExamples: AreaExamples<'builds'> = {
  'builds.list': {
    call: (client, _args, signal) => client.builds.list({}, signal),
    vendorOperation: { signature: 'v2.0 GET /builds', statuses: [200], response: listShape(output) },
    deviations: [buildTypesInGuide],
  },
  'builds.start': {
    call: (client, { datamodelId }, signal) =>
      client.builds.start({ datamodelId, buildType: 'full' }, signal),
    vendorOperation: {
      signature: 'v2.0 POST /builds',
      statuses: [201],
      request: objectShape(
        { datamodelId: uuidShape, buildType: enumShape('schema_changes', 'by_table', 'full', 'publish') },
        { rowLimit: integerShape },
      ),
      response: output,
    },
    deviations: [buildTypesInGuide],
  },
  'builds.cancelAll': {
    call: (client, { datamodelId }, signal) => client.builds.cancelAll({ datamodelId }, signal),
    vendorOperation: { signature: 'v2.0 DELETE /builds', statuses: [204], query: ['datamodelId'] },
    deviations: [statusInGuide],
  },
  'builds.get': {
    call: (client, { buildId }, signal) => client.builds.get({ buildId }, signal),
    vendorOperation: {
      signature: 'v2.0 GET /builds/{buildId}',
      statuses: [200],
      // The schema of the vendor's contract is a list with an optional `builds`, but every client reads a single task.
      response: objectShape({}, { ...fields, builds: listShape(output) }),
    },
    deviations: [buildTypesInGuide],
  },
  'builds.cancel': {
    call: (client, { buildId }, signal) => client.builds.cancel({ buildId }, signal),
    vendorOperation: {
      signature: 'v2.0 DELETE /builds/{buildId}',
      statuses: [200, 204],
      response: objectShape({}, { error: textShape, status: textShape, statusCode: integerShape }),
    },
    deviations: [buildTypesInGuide],
  },
};
