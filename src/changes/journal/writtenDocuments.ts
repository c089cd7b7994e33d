import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { getRefId, type ResourceKind } from '../../catalog/resourceRef.ts';
import { getSubjectTitle, isSameSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { endpoints } from '../../contract/endpoints.ts';
import type { Write } from '../model/operation.ts';
import { getValueAt } from '../model/outputRefs.ts';
import { getPlanSubjectName } from '../model/planSubjects.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { collectRules, getRuleEdits } from '../rules/ruleEdits.ts';
import { isGroupedRuleWrite } from '../rules/ruleAction.ts';
import { type HistoryEntry, type WriteState, isUnresolved } from './entry.ts';
import { getWrittenObjectId } from './undoCustomData.ts';
import { mayTakeEffectLater } from './stoppedOperation.ts';

/** A document that an operation has written, or may have written. The rules on a column are one document. */
export interface WrittenDocument {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: ResourceKind;
  /** Empty if it's unknown. */
  readonly name: string;
  /** The title of its datamodel or cube set; empty if it belongs to none. */
  readonly containerTitle: string;
  /** False if the response was lost, or only a part of its requests succeeded. */
  readonly isCertain: boolean;
}

/**
 * Returns the documents that an operation has written, or may have written, each once, in the order of the writes.
 * @param knownNames names by ID that not every journal contains: titles of datamodels, and names of tables and columns
 */
export const getWrittenDocuments = (
  entry: HistoryEntry,
  knownNames?: ReadonlyMap<string, string>,
): readonly WrittenDocument[] =>
  collectDocuments(entry, knownNames, (state) => state.state === 'done' || mayBeDone(state));

/**
 * Returns the documents that an operation has written, may have written, or may still write: a request that has shown
 * no effect may still take effect.
 * @param knownNames see {@link getWrittenDocuments}
 */
export const getAffectedDocuments = (
  entry: HistoryEntry,
  knownNames?: ReadonlyMap<string, string>,
): readonly WrittenDocument[] =>
  collectDocuments(
    entry,
    knownNames,
    (state, index) => state.state === 'done' || mayBeDone(state) || mayTakeEffectLater(entry, index),
  );

/** Returns the documents that an interrupted operation has not written yet, each once, in the order of the writes. */
export const getUnwrittenDocuments = (
  entry: HistoryEntry,
  knownNames?: ReadonlyMap<string, string>,
): readonly WrittenDocument[] =>
  collectDocuments(entry, knownNames, (state) => state.state !== 'done' && !mayBeDone(state));

/** Returns the documents of the writes of a stopped operation that it hasn't tried to send. */
export const getWaitingDocuments = (
  entry: HistoryEntry,
  knownNames?: ReadonlyMap<string, string>,
): readonly WrittenDocument[] => collectDocuments(entry, knownNames, ({ state }) => state === 'waiting');

/** Returns the documents of the writes of a stopped operation that have failed. */
export const getFailedDocuments = (
  entry: HistoryEntry,
  knownNames?: ReadonlyMap<string, string>,
): readonly WrittenDocument[] => collectDocuments(entry, knownNames, ({ state }) => state === 'failed');

/** Returns the documents of the writes of a stopped operation that are done. */
export const getDoneDocuments = (
  entry: HistoryEntry,
  knownNames?: ReadonlyMap<string, string>,
): readonly WrittenDocument[] => collectDocuments(entry, knownNames, ({ state }) => state === 'done');

/**
 * Returns the documents of the writes of a stopped operation that have failed after some of their requests succeeded.
 */
export const getPartlyWrittenDocuments = (
  entry: HistoryEntry,
  knownNames?: ReadonlyMap<string, string>,
): readonly WrittenDocument[] =>
  collectDocuments(entry, knownNames, ({ state, partly }) => state === 'failed' && partly === true);

/** Returns the documents of the writes of a stopped operation whose outcome is unknown. */
export const getUnresolvedDocuments = (
  entry: HistoryEntry,
  knownNames?: ReadonlyMap<string, string>,
): readonly WrittenDocument[] => collectDocuments(entry, knownNames, ({ state }) => isUnresolved(state));

/**
 * Returns the documents on which an operation that was rolled back or abandoned may still have an effect. `unverified`:
 * it isn't known whether a request was carried out, so nothing has undone it; rules are left out, since a rollback
 * restores them whatever the requests have done. `later`: a request may still take effect.
 * @param knownNames see {@link getWrittenDocuments}
 */
export const getDoubtfulDocuments = (
  entry: HistoryEntry,
  doubt: 'unverified' | 'later',
  knownNames?: ReadonlyMap<string, string>,
): readonly WrittenDocument[] =>
  collectDocuments(entry, knownNames, (state, index, write) =>
    doubt === 'later'
      ? mayTakeEffectLater(entry, index)
      : isUnresolved(state.state) && !isGroupedRuleWrite(write),
  );

/**
 * Returns the documents that each write of an operation is about, by the index of the write.
 * @param knownNames see {@link getWrittenDocuments}
 */
export function describeWrites(
  entry: HistoryEntry,
  knownNames?: ReadonlyMap<string, string>,
): readonly (readonly Omit<WrittenDocument, 'isCertain'>[])[] {
  const context = createContext(entry, knownNames);
  return entry.operation.writes.map((write, index) => describeWrite(entry, index, write, context));
}

function collectDocuments(
  entry: HistoryEntry,
  knownNames: ReadonlyMap<string, string> | undefined,
  isIncluded: (state: WriteState, index: number, write: Write) => boolean,
): readonly WrittenDocument[] {
  const context = createContext(entry, knownNames);
  const documents = new Map<string, WrittenDocument>();
  for (const [index, write] of entry.operation.writes.entries()) {
    const state = entry.writeStates[index];
    const isCertain = state?.state === 'done';
    if (state === undefined || !isIncluded(state, index, write)) {
      continue;
    }
    for (const document of describeWrite(entry, index, write, context)) {
      const key = JSON.stringify([document.kind, document.containerTitle, document.id]);
      const earlier = documents.get(key);
      documents.set(key, {
        kind: document.kind,
        name: document.name,
        containerTitle: document.containerTitle,
        // What an operation has created counts as created, even if it has also changed it.
        action: earlier === undefined || document.action === 'delete' ? document.action : earlier.action,
        isCertain: isCertain && earlier?.isCertain !== false,
      });
    }
  }
  return [...documents.values()];
}

/** Returns whether a write isn't known to be done, but may be, or is done in part. */
export const mayBeDone = (state: WriteState): boolean =>
  state.state === 'sending' ||
  state.state === 'unknown' ||
  (state.state === 'failed' && (state.partly === true || state.denied !== undefined));

type DescribedDocument = Omit<WrittenDocument, 'isCertain'> & { readonly id: string };

/** What the documents of an operation are described with. */
interface DescriptionContext {
  /** See {@link collectNames}. */
  readonly names: ReadonlyMap<string, string>;
  /** Returns what the operation does to the rules on each column: see {@link getRuleActions}. */
  readonly getRuleActions: (subject: RuleSubject) => ReturnType<typeof getRuleActions>;
}

function createContext(
  entry: HistoryEntry,
  knownNames: ReadonlyMap<string, string> | undefined,
): DescriptionContext {
  const actions = new Map<string, ReturnType<typeof getRuleActions>>();
  return {
    names: collectNames(entry, knownNames),
    getRuleActions: (subject) => {
      const key = JSON.stringify(subject);
      const known = actions.get(key) ?? getRuleActions(entry, subject);
      actions.set(key, known);
      return known;
    },
  };
}

function describeWrite(
  entry: HistoryEntry,
  index: number,
  write: Write,
  { names, getRuleActions: getActions }: DescriptionContext,
): readonly DescribedDocument[] {
  const subject = getWriteRuleSubject(write);
  if (subject !== undefined) {
    const actions = getActions(subject);
    return getWrittenColumns(entry, index, subject).map((name) => ({
      id: name,
      action: actions.get(name) ?? 'update',
      kind: 'columnRules',
      name,
      containerTitle: getSubjectTitle(subject),
    }));
  }
  const { endpoint, body } = write;
  const { method } = endpoints[endpoint];
  const kind = kinds[endpoint.slice(0, endpoint.indexOf('.'))] ?? 'customDataObject';
  const state = entry.writeStates[index];
  const answer = state?.state === 'done' ? state.answer : undefined;
  const created = findCreatedItem(entry, write, `${kind}Id`);
  const id =
    method === 'POST'
      ? getId(answer) || `new ${index}`
      : (getTargetId(write) ?? created?.id ?? `write ${index}`);
  const name =
    write.name ||
    names.get(id) ||
    created?.name ||
    (kind === 'relation' ? getRelationText(write, entry.operation.writes, names) : getDocumentName(body));
  return [
    {
      id,
      action: method === 'POST' ? 'create' : method === 'DELETE' ? 'delete' : 'update',
      kind,
      name,
      containerTitle: kind === 'datamodel' ? '' : getDatamodelTitle(entry, write, names),
    },
  ];
}

const getTargetId = (write: Write): string | undefined =>
  getWrittenObjectId(write) ?? (write.target === undefined ? undefined : getRefId(write.target));

/** Returns the title of the datamodel that a write is in; empty if it's unknown, or for viewpoints and custom data. */
const getDatamodelTitle = (entry: HistoryEntry, write: Write, names: ReadonlyMap<string, string>): string =>
  names.get(write.params['datamodelId'] ?? '') ?? findCreatedItem(entry, write, 'datamodelId')?.name ?? '';

/**
 * Finds the item that an earlier write of the operation creates, if the given parameter of a write refers to its ID.
 * Returns the same ID for it as `describeWrite`.
 */
function findCreatedItem(
  { operation: { writes }, writeStates }: HistoryEntry,
  { outputRefs = [] }: Write,
  parameter: string,
): { readonly id: string; readonly name: string } | undefined {
  const index = outputRefs.find(({ into: [root, name] }) => root === 'params' && name === parameter)?.write;
  const state = index === undefined ? undefined : writeStates[index];
  return index === undefined
    ? undefined
    : {
        id: (state?.state === 'done' ? getId(state.answer) : '') || `new ${index}`,
        name: getDocumentName(writes[index]?.body),
      };
}

/** The kinds of documents by the first word of an endpoint. */
const kinds: Readonly<Record<string, ResourceKind>> = {
  datamodels: 'datamodel',
  datasets: 'dataset',
  tables: 'table',
  relations: 'relation',
  viewpoints: 'viewpoint',
};

/** Returns the columns whose rules a write changes. */
function getWrittenColumns(
  { operation: { writes }, before }: HistoryEntry,
  index: number,
  subject: RuleSubject,
): readonly string[] {
  const { table, column } = writes[index]?.params ?? {};
  if (table !== undefined && column !== undefined) {
    return [`${table}.${column}`];
  }
  const previousRules = collectRules(before, subject);
  const { edits } = getRuleEdits({ subject, writeIndices: [index] }, writes, previousRules);
  return edits.map((edit) => getRuleColumn({ ...edit.before, ...edit.after }));
}

const getRuleColumn = (rule: JsonObject): string => `${getText(rule['table'])}.${getText(rule['column'])}`;

/**
 * Returns what an operation does to the rules on each column, which count as one document: it creates the document if
 * there were no rules, and deletes it if none stay.
 */
function getRuleActions(
  { operation: { writes }, before }: HistoryEntry,
  subject: RuleSubject,
): ReadonlyMap<string, WrittenDocument['action']> {
  const previousRules = collectRules(before, subject);
  const countsBefore = new Map<string, number>();
  const count = (counts: Map<string, number>, rule: JsonObject, difference: 1 | -1): void => {
    const column = getRuleColumn(rule);
    counts.set(column, (counts.get(column) ?? 0) + difference);
  };
  previousRules.forEach((rule) => count(countsBefore, rule, 1));
  const countsAfter = new Map(countsBefore);
  for (const [index, write] of writes.entries()) {
    const writtenSubject = getWriteRuleSubject(write);
    if (writtenSubject === undefined || !isSameSubject(writtenSubject, subject)) {
      continue;
    }
    const { table, column } = write.params;
    if (table !== undefined && column !== undefined) {
      countsAfter.set(`${table}.${column}`, 0);
    }
    for (const edit of getRuleEdits({ subject, writeIndices: [index] }, writes, previousRules).edits) {
      if (edit.before !== undefined) {
        count(countsAfter, edit.before, -1);
      }
      if (edit.after !== undefined) {
        count(countsAfter, { ...edit.before, ...edit.after }, 1);
      }
    }
  }
  return new Map(
    [...countsAfter].map(([column, countAfter]) => [
      column,
      countAfter <= 0 ? 'delete' : (countsBefore.get(column) ?? 0) === 0 ? 'create' : 'update',
    ]),
  );
}

/**
 * Returns the names of the documents that an operation has found or created, by ID.
 * @param known other names by ID
 */
function collectNames(
  { operation: { writes }, before, writeStates: states }: HistoryEntry,
  known: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const names = new Map(known);
  const add = (id: string, name: string): void => {
    if (id !== '' && name !== '') {
      names.set(id, name);
    }
  };
  const addContents = (document: JsonValue | undefined): void =>
    listContentNames(document).forEach(([id, name]) => add(id, name));
  before.forEach(({ document }) => addContents(document));
  for (const [index, { body }] of writes.entries()) {
    const state = states[index];
    if (state?.state === 'done') {
      addContents(state.answer);
      add(getId(state.answer), getDocumentName(state.answer) || getDocumentName(body));
    }
  }
  const relations = before.flatMap(({ ref, document }) =>
    ref.kind === 'relation' ? [asObject(document)] : getObjects(asObject(document)['relations']),
  );
  relations.forEach((relation) => add(getId(relation), getRelationText({ body: relation }, [], names)));
  return names;
}

/** Lists the IDs of the datamodels whose relations an operation writes. */
export const listJoinedDatamodelIds = ({ operation: { writes } }: HistoryEntry): readonly string[] =>
  writes.flatMap(({ endpoint, params: { datamodelId } }) =>
    endpoint.startsWith('relations.') && datamodelId !== undefined ? [datamodelId] : [],
  );

/** Lists the IDs and names of a document, and of the datasets, tables, and columns in it. */
export function listContentNames(
  document: JsonValue | undefined,
): readonly (readonly [id: string, name: string])[] {
  const { datasets, schema, columns } = asObject(document);
  return [
    [getId(document), getDocumentName(document)] as const,
    ...[...getObjects(datasets), ...getObjects(asObject(schema)['tables']), ...getObjects(columns)].flatMap(
      (content) => listContentNames(content),
    ),
  ].filter(([id, name]) => id !== '' && name !== '');
}

/** Returns the names of the columns that a relation joins, with their tables; empty if a table is unknown. */
function getRelationText(
  { body, outputRefs = [] }: Pick<Write, 'body' | 'outputRefs'>,
  writes: readonly Write[],
  names: ReadonlyMap<string, string>,
): string {
  const ends = getObjects(asObject(body)['columns']).map((end, index) => {
    const [table = '', column = ''] = ['table', 'column'].map((member) => {
      const created = outputRefs.find(({ into }) => into.join('/') === `body/columns/${index}/${member}`);
      // What the operation creates itself has an ID only afterward.
      return created === undefined
        ? names.get(getText(end[member]))
        : getDocumentName(getValueAt(writes[created.write]?.body, created.from.slice(0, -1)));
    });
    return table === '' || column === '' ? table : `${table}.${column}`;
  });
  return ends.includes('') ? '' : ends.join(' – ');
}

const getDocumentName = (document: JsonValue | undefined): string => {
  const { id: _id, ...members } = asObject(document);
  return getPlanSubjectName(members);
};

const getId = (document: JsonValue | undefined): string =>
  isJsonObject(document)
    ? getText(document['oid']) || getText(document['id']) || getText(document['_id'])
    : '';
