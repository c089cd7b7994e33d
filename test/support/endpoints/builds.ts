import { list, shape, text, uuid, whole, word } from '../../contract/shapes.ts';
import type { Deviation, ExamplesOf } from './example.ts';
import { statusInGuide } from './shared.ts';

const fields = {
  oid: uuid,
  datamodelId: uuid,
  buildType: word('schema-changes', 'by-table', 'full', 'publish'),
  status: word('pending', 'building', 'done', 'cancelled', 'failed'),
  datamodelTitle: text,
  datamodelType: word('extract', 'live'),
  indexSize: word('short', 'long'),
  instanceId: text,
  schemaLastUpdate: text,
  created: text,
  started: text,
  completed: text,
  rowLimit: whole,
  source: word('rest', 'nextecm', 'scheduler', 'cli'),
};
const output = shape({}, fields);

const wordsInGuide: Deviation = {
  name: 'words of builds',
  profile: 'guide',
  side: 'answer',
  at: /\/buildType$/,
  reason:
    'The spec names the types of a build with underscores, in requests; the guide answers what was sent.',
};

export const buildExamples: ExamplesOf<'builds'> = {
  'builds.list': {
    call: (client, _names, signal) => client.builds.list({}, signal),
    operation: { source: 'v2.0 GET /builds', statuses: [200], answer: list(output) },
    deviations: [wordsInGuide],
  },
  'builds.start': {
    call: (client, { datamodelId }, signal) =>
      client.builds.start({ datamodelId, buildType: 'full' }, signal),
    operation: {
      source: 'v2.0 POST /builds',
      statuses: [201],
      request: shape(
        { datamodelId: uuid, buildType: word('schema_changes', 'by_table', 'full', 'publish') },
        { rowLimit: whole },
      ),
      answer: output,
    },
    deviations: [wordsInGuide],
  },
  'builds.cancelAll': {
    call: (client, { datamodelId }, signal) => client.builds.cancelAll({ datamodelId }, signal),
    operation: { source: 'v2.0 DELETE /builds', statuses: [204], query: ['datamodelId'] },
    deviations: [statusInGuide],
  },
  'builds.get': {
    call: (client, { buildId }, signal) => client.builds.get({ buildId }, signal),
    operation: {
      source: 'v2.0 GET /builds/{buildId}',
      statuses: [200],
      // Its schema is that of a list with `builds` inside, none of it required; every client reads one task.
      answer: shape({}, { ...fields, builds: list(output) }),
    },
    deviations: [wordsInGuide],
  },
  'builds.cancel': {
    call: (client, { buildId }, signal) => client.builds.cancel({ buildId }, signal),
    operation: {
      source: 'v2.0 DELETE /builds/{buildId}',
      statuses: [200, 204],
      answer: shape({}, { error: text, status: text, statusCode: whole }),
    },
    deviations: [wordsInGuide],
  },
};
