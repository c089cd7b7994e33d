import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { InstanceCatalog } from '../../../src/catalog/instanceCatalog.ts';
import { createCatalogSource } from '../../../src/connections/createCatalogSource.ts';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { type DocumentRef, createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { type BaseStorage, type StoredBase, noBaseStorage } from '../../../src/documents/baseStorage.ts';
import type { DocumentStat } from '../../../src/documents/documentState.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import type { ValueStorage } from '../../../src/base/valueStorage.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import type { SaveIntent } from '../../../src/documents/saveIntent.ts';
import type { DocumentWriter } from '../../../src/documents/saveHost.ts';
import { History } from '../../../src/changes/journal/history.ts';
import { Writer } from '../../../src/changes/run/writer.ts';
import { expectDefined } from '../../support/expectations.ts';
import { createSharedSessions } from '../../fakes/fakeSessions.ts';

export const connectionId = 'sandbox';

/** Returns the path of a document of the test's connection. */
export const getPath = (resource: DocumentRef, name = 'a document'): string =>
  createDocumentPath({ connectionId, resource, name, within: [] });

/** The documents, writer, and history of one VS Code window, with test doubles for the editor and its storage. */
export interface EditorWindow {
  readonly documents: RemoteDocuments;
  /** The paths of documents that the editor reports as having unsaved changes. */
  readonly dirty: Set<string>;
  readonly history: History;
  readonly writer: Writer;
}

/** Creates documents of one client over the real writer and history. */
export function openWindow(
  client: PlatformClient,
  options: {
    readonly baseStorage?: BaseStorage;
    readonly aliases?: RuleAliases;
    /** Wraps the writer that the documents use. */
    readonly wrapWriter?: (writer: DocumentWriter) => DocumentWriter;
  } = {},
): EditorWindow {
  const dirty = new Set<string>();
  const catalog = new InstanceCatalog(createCatalogSource(client, { getPageSize: () => 100 }));
  const sessions = createSharedSessions(() => ({ client, catalog }));
  const history = new History({
    folder: mkdtempSync(join(tmpdir(), 'datamodel-studio-history-')),
    getLimits: () => ({ maxBytes: 10_000_000, maxAgeMs: 1_000_000_000 }),
    clock: systemClock,
    log: silentLog,
  });
  const writer = new Writer({ sessions, history, getCubeSets: () => [], clock: systemClock, log: silentLog });
  const documents = new RemoteDocuments({
    sessions,
    getWriter: () => Promise.resolve(options.wrapWriter?.(writer) ?? writer),
    clock: systemClock,
    editor: { isDirty: (path) => dirty.has(path) },
    baseStorage: options.baseStorage ?? noBaseStorage,
    aliases: options.aliases ?? new RuleAliases(createMemoryStorage()),
  });
  return { documents, dirty, history, writer };
}

export const createDocuments = (client: PlatformClient): RemoteDocuments => openWindow(client).documents;

/** Creates a storage that keeps its value for the duration of the test. */
export function createMemoryStorage(): ValueStorage {
  let stored: unknown;
  return {
    read: () => stored,
    write: (value) => {
      stored = value;
    },
  };
}

export const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Thrown instead of showing the editor's dialog that the content of the file is newer. */
export class NewerFileDialogError extends Error {
  override readonly name = 'NewerFileDialogError';
}

/** The editor's last known stat of a file, which it compares with the file before writing. */
const knownStats = new WeakMap<RemoteDocuments, Map<string, DocumentStat>>();

function rememberStat(documents: RemoteDocuments, path: string, stat: DocumentStat): void {
  const known = knownStats.get(documents) ?? new Map<string, DocumentStat>();
  knownStats.set(documents, known.set(path, stat));
}

/** Opens a document as the editor does, and returns its text. */
export async function openDocument(documents: RemoteDocuments, path: string): Promise<string> {
  rememberStat(documents, path, await documents.stat(path));
  return decodeText(await documents.read(path));
}

/**
 * Saves a document with the same steps as the editor: stats the file; throws {@link NewerFileDialogError} if it is newer
 * and has another length; writes it; and stats it again. Returns whether the server's document differs from the saved
 * text.
 */
export async function saveLikeEditor(
  documents: RemoteDocuments,
  path: string,
  text: string,
  options: { readonly overwrite?: true; readonly intent?: SaveIntent } = {},
): Promise<boolean> {
  documents.handleServerChange(path);
  const currentStat = await documents.stat(path);
  const knownStat = knownStats.get(documents)?.get(path);
  if (
    knownStat !== undefined &&
    knownStat.mtime < currentStat.mtime &&
    knownStat.size !== currentStat.size &&
    !options.overwrite
  ) {
    throw new NewerFileDialogError();
  }
  await documents.write(path, encodeText(text), { isExplicit: true, intent: options.intent });
  rememberStat(documents, path, await documents.stat(path));
  return documents.acknowledgeSave(path);
}

/** One document of each kind. */
type DocumentOfEachKind = {
  readonly [Kind in DocumentRef['kind']]: Extract<DocumentRef, { kind: Kind }>;
};

/** Returns one document of each kind, from the demo. */
export async function getDemoDocuments(client: PlatformClient): Promise<DocumentOfEachKind> {
  const { value: models } = await client.datamodels.list();
  const retail = expectDefined(models.find(({ title }) => title === 'Retail'));
  const { datamodelId } = { datamodelId: retail.oid };
  const { value: model } = await client.datamodels.get({ datamodelId });
  const subject = { kind: 'extract', server: model.server ?? 'LocalHost', elasticube: 'Retail' } as const;
  const { value: rules } = await client.extractRules.list(subject);
  const rule = expectDefined(rules[0]);
  const { value: page } = await client.viewpoints.list({ limit: 1 });
  const { value: objects } = await client.customData.list();
  const base = findTable(model, (table) => table.type === 'base');
  const custom = findTable(model, (table) => table.type === 'custom');
  const withColumn = findTable(model, ({ columns }) => columns?.some(({ isCustom }) => isCustom === true));
  const column = expectDefined(withColumn.table.columns?.find(({ isCustom }) => isCustom === true));
  return {
    datamodel: { kind: 'datamodel', datamodelId },
    dataset: { kind: 'dataset', datamodelId, datasetId: base.datasetId },
    table: { kind: 'table', datamodelId, datasetId: base.datasetId, tableId: base.table.oid },
    tableExpression: {
      kind: 'tableExpression',
      datamodelId,
      datasetId: custom.datasetId,
      tableId: custom.table.oid,
    },
    columnExpression: {
      kind: 'columnExpression',
      datamodelId,
      datasetId: withColumn.datasetId,
      tableId: withColumn.table.oid,
      columnId: expectDefined(column.oid ?? undefined),
    },
    relation: { kind: 'relation', datamodelId, relationId: expectDefined(model.relations?.[0]?.oid) },
    columnRules: { kind: 'columnRules', subject, table: rule.table, column: rule.column },
    rule: { kind: 'rule', subject, ruleId: expectDefined(rule._id ?? undefined) },
    viewpoint: { kind: 'viewpoint', viewpointId: expectDefined(page.viewpoints[0]?.id) },
    customDataObject: { kind: 'customDataObject', objectId: String(objects[0]?.['_id']) },
  };
}

type Tables = NonNullable<NonNullable<NonNullable<Datamodel['datasets']>[number]['schema']>['tables']>;

/** Returns the first table that matches, and the ID of its dataset. */
export function findTable(
  model: Datamodel,
  matches: (table: Tables[number]) => boolean | undefined,
): { readonly datasetId: string; readonly table: Tables[number] } {
  for (const { oid: datasetId, schema } of model.datasets ?? []) {
    const table = schema?.tables?.find((each) => matches(each) === true);
    if (table !== undefined) {
      return { datasetId, table };
    }
  }
  throw new Error('The demo has no such table');
}

/** Creates a storage that keeps bases for the duration of the test. */
export function createBaseStorage(): BaseStorage {
  const bases = new Map<string, StoredBase>();
  return {
    read: (path) => Promise.resolve(bases.get(path)),
    write: async (path, base) => {
      bases.set(path, base);
    },
    delete: async (path) => {
      bases.delete(path);
    },
  };
}
