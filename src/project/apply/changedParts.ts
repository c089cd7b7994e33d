import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { asObject, getObjects, getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { isGeneratedColumn } from '../compare/compareContents.ts';
import { appendToken } from '../compare/parts.ts';
import { readColumnName, readTableName, readTables } from '../instance/identifiers.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';

/** The documents of an instance. */
type Documents = ProjectPlan['reading']['documents'];

/**
 * Finds the parts of items that others have changed since an apply: the instance no longer has them as in its responses
 * to the writes of the apply. What the instance sets by itself is in these responses, too. Of items that the apply has
 * only changed, or whose creation has no recorded response, only columns are compared. Returns the pointers of the
 * parts, by the texts of the items' keys.
 * @param entry the apply, read after it was finished, which may have been much later
 */
export function findChangedParts(
  entry: HistoryEntry,
  documents: Documents,
  createdKeys: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const responses = collectResponses(entry);
  return new Map(
    listDocuments(documents).flatMap(({ key, id, document }) => {
      const text = formatItemKey(key);
      const recorded = responses.get(id);
      if (recorded === undefined) {
        return [];
      }
      // The responses to later writes need not contain all members.
      const isComplete = createdKeys.has(text) && recorded.includesCreation;
      return [[text, new Set(listChangedPointers(document, recorded.response, { isComplete }))] as const];
    }),
  );
}

/** What the instance has returned for the writes of an item. */
interface RecordedResponse {
  readonly response: JsonObject;
  readonly includesCreation: boolean;
}

/**
 * Returns the last responses to the writes of tables and viewpoints, by ID. What was read to verify a write isn't
 * included: it may have been read later.
 */
function collectResponses({ operation, writeStates }: HistoryEntry): ReadonlyMap<string, RecordedResponse> {
  const responses = new Map<string, RecordedResponse>();
  for (const [index, { endpoint }] of operation.writes.entries()) {
    const state = writeStates[index];
    const match = /^(?:tables|viewpoints)\.(create)?/.exec(endpoint);
    if (state?.state !== 'done' || state.status === undefined || match === null) {
      continue;
    }
    const response = asObject(state.answer);
    const id = getText(response['oid']) || getText(response['id']);
    if (id === '') {
      // The body was empty.
      continue;
    }
    const earlier = responses.get(id);
    responses.set(id, {
      // A response may contain only what was changed.
      response: { ...earlier?.response, ...response },
      includesCreation: earlier?.includesCreation === true || match[1] !== undefined,
    });
  }
  return responses;
}

function listDocuments({ datamodels, viewpoints }: Documents): readonly {
  readonly key: ItemKey;
  readonly id: string;
  readonly document: JsonObject;
}[] {
  return [
    ...datamodels.flatMap(({ document: model }) =>
      getObjects(model['datasets'])
        .flatMap(readTables)
        .map((document) => ({
          key: { kind: 'table', datamodel: getText(model['title']), table: readTableName(document) } as const,
          id: getText(document['oid']),
          document,
        })),
    ),
    ...viewpoints.map((document) => ({
      key: { kind: 'viewpoint', viewpoint: getText(document['name']) } as const,
      id: getText(document['id']),
      document,
    })),
  ];
}

function listChangedPointers(
  document: JsonObject,
  response: JsonObject,
  { isComplete }: { readonly isComplete: boolean },
): readonly string[] {
  const members = Object.entries(omitMembers(document, 'columns'))
    .filter(([name, value]) => !isServerManagedField(name) && !isUnchanged(value, response[name]))
    .map(([name]) => appendToken('', name));
  const columnsById = new Map(getObjects(response['columns']).map((column) => [column['oid'], column]));
  const columns =
    isComplete || columnsById.size > 0
      ? getObjects(document['columns']).filter((column) => {
          const former = columnsById.get(column['oid']);
          // A build creates the columns of a custom table later.
          return former === undefined
            ? !isGeneratedColumn(document, column)
            : !isUnchanged(omitMembers(column, 'expression'), omitMembers(former, 'expression'));
        })
      : [];
  return [
    ...(isComplete ? members : []),
    ...columns.map((column) => appendToken('/columns', readColumnName(column))),
  ];
}

/**
 * Compares values apart from secrets and from what the server maintains. Null means absent (platform-facts.md, 2.2).
 */
const isUnchanged = (current: JsonValue, former: JsonValue | undefined): boolean =>
  jsonEquals(
    omitNulls(maskConnectorDocument(current)),
    omitNulls(maskConnectorDocument(former ?? null)),
    isServerManagedField,
  );

const omitNulls = (value: JsonValue): JsonValue =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
    : value;
