import type { Answer } from '../api/answer.ts';
import type { PlatformClient } from '../api/platformClient.ts';
import type { WriteDocument } from '../api/payloads/document.ts';
import type { PathParams } from '../contract/endpoints.ts';
import type { Write, WriteEndpointId } from './operation.ts';

type Send = (client: PlatformClient, write: Write, signal?: AbortSignal) => Promise<Answer<unknown>>;

/** The names of a write as its endpoint's path needs them; one that is missing is refused by the client. */
const names = <Id extends WriteEndpointId>(write: Write): PathParams<Id> => write.params as PathParams<Id>;

const body = (write: Write): WriteDocument => write.body as WriteDocument;
const list = (write: Write): readonly WriteDocument[] => write.body as unknown as readonly WriteDocument[];

const connectionOptions = ({ sendEncryptedParameters }: Write) => ({
  sendEncryptedParameters: sendEncryptedParameters === true,
});

/** The client's method of every endpoint that changes a document. */
const senders: Readonly<Record<WriteEndpointId, Send>> = {
  'datamodels.create': (client, write, signal) => client.datamodels.create(body(write), signal),
  'datamodels.delete': (client, write, signal) =>
    client.datamodels.delete(names<'datamodels.delete'>(write), signal),
  'datasets.create': (client, write, signal) =>
    client.datasets.create(names<'datasets.create'>(write), body(write), connectionOptions(write), signal),
  'datasets.update': (client, write, signal) =>
    client.datasets.update(names<'datasets.update'>(write), body(write), connectionOptions(write), signal),
  'datasets.delete': (client, write, signal) =>
    client.datasets.delete(names<'datasets.delete'>(write), signal),
  'tables.create': (client, write, signal) =>
    client.tables.create(names<'tables.create'>(write), body(write), signal),
  'tables.update': (client, write, signal) =>
    client.tables.update(names<'tables.update'>(write), body(write), signal),
  'tables.delete': (client, write, signal) => client.tables.delete(names<'tables.delete'>(write), signal),
  'relations.create': (client, write, signal) =>
    client.relations.create(names<'relations.create'>(write), body(write), signal),
  'relations.update': (client, write, signal) =>
    client.relations.update(names<'relations.update'>(write), body(write), signal),
  'relations.delete': (client, write, signal) =>
    client.relations.delete(names<'relations.delete'>(write), signal),
  'extractRules.createMany': (client, write, signal) => client.extractRules.createMany(list(write), signal),
  'extractRules.create': (client, write, signal) =>
    client.extractRules.create(names<'extractRules.create'>(write), list(write), signal),
  'extractRules.update': (client, write, signal) =>
    client.extractRules.update(names<'extractRules.update'>(write), body(write), signal),
  'extractRules.deleteByColumn': (client, write, signal) =>
    client.extractRules.deleteByColumn(
      names<'extractRules.deleteByColumn'>(write),
      { table: write.params['table'] ?? '', column: write.params['column'] ?? '' },
      signal,
    ),
  'extractRules.delete': (client, write, signal) =>
    client.extractRules.delete(names<'extractRules.delete'>(write), signal),
  'liveRules.create': (client, write, signal) =>
    client.liveRules.create(names<'liveRules.create'>(write), list(write), signal),
  'liveRules.delete': (client, write, signal) =>
    client.liveRules.delete(names<'liveRules.delete'>(write), signal),
  'liveRules.deleteByColumn': (client, write, signal) =>
    client.liveRules.deleteByColumn(names<'liveRules.deleteByColumn'>(write), signal),
  'customData.create': (client, write, signal) => client.customData.create(body(write), signal),
  'customData.updateMatching': (client, write, signal) =>
    client.customData.updateMatching(body(write), signal),
  'customData.deleteMatching': (client, write, signal) =>
    client.customData.deleteMatching(body(write), signal),
  'viewpoints.create': (client, write, signal) => client.viewpoints.create(body(write), signal),
  'viewpoints.update': (client, write, signal) =>
    client.viewpoints.update(names<'viewpoints.update'>(write), body(write), signal),
  'viewpoints.delete': (client, write, signal) =>
    client.viewpoints.delete(names<'viewpoints.delete'>(write), signal),
};

/**
 * Sends one write through the typed client, once.
 * @throws ApiError
 */
export const sendWrite: Send = (client, write, signal) => senders[write.endpoint](client, write, signal);
