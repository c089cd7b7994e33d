import type { JsonObject } from '../../base/json.ts';
import { getRefId, isSameRef, type ResourceRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { CurrentDocuments } from '../model/undoWrites.ts';
import { asObject, getDocumentName, getObjects, getRelationName, getText } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { resolveKnownOutputs } from '../model/outputRefs.ts';
import { readTableNames } from '../rules/nameEffects.ts';
import type { ChangedDocument } from './changedDocuments.ts';
import { findCreationWrites, findJoinedTables } from './creationWrites.ts';
import type { HistoryEntry } from './entry.ts';
import { findKeptRuleColumns, findOmittedWrites, type KeptRuleColumn } from './keptRules.ts';
import { type CurrentModel, findReach, type KeptReach } from './keptReach.ts';
import { namingMembers, omitKeptDocuments } from './omitKeptDocuments.ts';

/** What an undo keeps, and what stays as it is because of that. */
export interface KeptProtection {
  /** The entry without what its undo leaves as it is. */
  readonly entry: HistoryEntry;
  /** The columns whose rules stay, by the documents that they protect. */
  readonly ruleColumns: ReadonlyMap<ChangedDocument, readonly KeptRuleColumn[]>;
  /** The names of the relations and tables that stay, by the documents that they protect. */
  readonly itemNames: ReadonlyMap<ChangedDocument, readonly string[]>;
  /** The writes to the kept documents that stay, with the members that stay; without writes that have failed. */
  readonly writes: ReadonlyMap<ChangedDocument, readonly Write[]>;
}

/** What {@link computeKeptProtection} needs to know of the server. */
export interface ProtectionSources {
  readonly subjects: readonly RuleSubject[];
  readonly currentDocuments: CurrentDocuments;
  /** The current datamodels of the changed documents, by their IDs. */
  readonly models: ReadonlyMap<string, CurrentModel>;
}

/**
 * Returns what remains to be undone of an entry if some documents that others have changed are kept. The rules,
 * relations, and tables that may restrict what the entry has exposed in these documents stay, too: without them,
 * everyone would see more than before or after the entry. In doubt, something stays.
 */
export function computeKeptProtection(
  entry: HistoryEntry,
  documents: readonly ChangedDocument[],
  sources: ProtectionSources,
): KeptProtection {
  const remainingEntry = omitKeptDocuments(entry, documents);
  const protections = documents.map((document) => {
    const creationWrites = findCreationWrites(entry, document);
    const omitted = [
      ...findOmittedWrites(entry, remainingEntry, document, sources.currentDocuments),
      ...creationWrites.values(),
    ];
    const reach = findReach(document.ref, omitted, entry.before, sources.models);
    return {
      document,
      writes: findOmittedWrites(omitFailedWrites(entry), remainingEntry, document, sources.currentDocuments),
      ruleColumns: findKeptRuleColumns(entry, document, { ...sources, omitted, reach }),
      items: reach?.hasRules === true ? findProtectingItems(entry, document.ref, reach) : [],
      needed: [
        ...[...creationWrites.keys()].map((creation) => ({ creation, changed: undefined })),
        ...findJoinedTables(entry, document).map((ref) => ({
          creation: undefined,
          changed: toChangedDocument(ref, namingMembers),
        })),
      ],
    };
  });
  const items = protections.flatMap((protection) => [...protection.items, ...protection.needed]);
  return {
    entry: omitKeptDocuments(
      entry,
      [...documents, ...items.flatMap(({ changed }) => changed ?? [])],
      new Set(items.flatMap(({ creation }) => creation ?? [])),
    ),
    ruleColumns: new Map(protections.map(({ document, ruleColumns }) => [document, ruleColumns])),
    writes: new Map(protections.map(({ document, writes }) => [document, writes])),
    itemNames: new Map(
      protections.map((protection) => [
        protection.document,
        [...new Set(protection.items.map(({ name }) => name))].filter((name) => name !== ''),
      ]),
    ),
  };
}

/** Returns an entry as if its failed writes hadn't been sent. */
const omitFailedWrites = (entry: HistoryEntry): HistoryEntry => ({
  ...entry,
  writeStates: entry.writeStates.map((state) => (state.state === 'failed' ? { state: 'waiting' } : state)),
});

/** A relation or table that stays: what of it the undo omits. */
interface ProtectingItem {
  readonly name: string;
  /** The index of the write that has created it, or has changed it right after that. */
  readonly creation?: number;
  readonly changed?: ChangedDocument;
}

/**
 * Finds the relations and tables that the undo of an entry would delete or change, although rules restrict the kept
 * document through them.
 */
function findProtectingItems(
  entry: HistoryEntry,
  kept: ResourceRef,
  reach: KeptReach,
): readonly ProtectingItem[] {
  const { operation, writeStates } = entry;
  const responses = writeStates.map((state) => (state.state === 'done' ? state.answer : undefined));
  return operation.writes.flatMap((sent, index): readonly ProtectingItem[] => {
    const write = resolveKnownOutputs(sent, responses);
    if (
      writeStates[index]?.state === 'waiting' ||
      write.params['datamodelId'] !== reach.datamodelId ||
      (write.target !== undefined && isSameRef(write.target, kept)) ||
      getRefId(kept) === getText(asObject(responses[index])['oid'])
    ) {
      return [];
    }
    const { endpoint, target, params } = write;
    const createdId = getText(asObject(responses[index])['oid']);
    if (endpoint === 'relations.create') {
      return toItems(reach.getRelation(createdId), reach, { creation: index });
    }
    if (endpoint === 'relations.update' && target !== undefined) {
      const changed = toChangedDocument(target, []);
      return toItems(reach.getRelation(params['relationId'] ?? ''), reach, { changed });
    }
    if (endpoint === 'tables.create') {
      return toItems(reach.getTable(createdId), reach, { creation: index });
    }
    if (endpoint === 'datasets.create' && reach.hasTableOfDataset(createdId)) {
      return [{ name: '', creation: index }];
    }
    return endpoint === 'tables.update' ? findKeptTable(write, index, entry, reach) : [];
  });
}

const toItems = (
  document: JsonObject | undefined,
  { document: model }: KeptReach,
  omission: Omit<ProtectingItem, 'name'>,
): readonly ProtectingItem[] =>
  document === undefined
    ? []
    : [
        {
          name:
            'columns' in document && !('name' in document)
              ? getRelationName(document, model)
              : getDocumentName(document),
          ...omission,
        },
      ];

const toChangedDocument = (ref: ResourceRef, members: readonly string[]): ChangedDocument => ({
  ref,
  name: '',
  isGone: false,
  members,
  fields: [],
});

/**
 * Returns the table if the undo of a table update must leave its names as they are: it would delete or rename something
 * that rules are on, or delete columns that a relation joins.
 */
function findKeptTable(
  { target, params, body }: Write,
  index: number,
  { before }: HistoryEntry,
  reach: KeptReach,
): readonly ProtectingItem[] {
  const table = reach.getTable(params['tableId'] ?? '');
  if (table === undefined) {
    return [];
  }
  if (target === undefined) {
    return toItems(table, reach, { creation: index });
  }
  const previous = readTableNames(before.find(({ ref }) => isSameRef(ref, target))?.document);
  const name = getDocumentName(table);
  const writesNames = Object.keys(asObject(body)).some((member) => namingMembers.includes(member));
  const losesName = getObjects(table['columns']).some(
    (column) =>
      !(
        previous?.name === name &&
        previous.columns.get(getDocumentName(column))?.oid === getText(column['oid'])
      ) && reach.needsColumn(name, column),
  );
  return writesNames && losesName
    ? toItems(table, reach, { changed: toChangedDocument(target, namingMembers) })
    : [];
}
