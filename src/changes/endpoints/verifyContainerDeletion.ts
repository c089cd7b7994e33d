import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import { getRefKey, isSameRef } from '../../catalog/resourceRef.ts';
import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema, serverConnectionFields } from '../../contract/datamodel.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { asObject, getObjects, getText, omitMembers } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { VerifyContext } from '../model/writeKind.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import { getDatamodelRef } from './readDocuments.ts';
import { deletedOutcome, isSameDocument, notHappenedOutcome, verifyDeletion } from './verifyWrites.ts';

/**
 * Verifies the deletion of a dataset or a datamodel. Its contents are deleted with it, as are the relations of its
 * tables, and the rules of a datamodel. If others have changed or added any of these, the target counts as changed: the
 * deletion would delete items that the user hasn't seen in the plan and that the journal doesn't contain. The document
 * of the datamodel is compared, since it has all contents; the document of a dataset may lack its tables
 * (platform-facts.md, 2.1).
 */
export async function verifyContainerDeletion(write: Write, context: VerifyContext): Promise<WriteOutcome> {
  const { target } = write;
  const modelRef = getDatamodelRef(target);
  const before = context.before.find(({ ref }) => modelRef !== undefined && isSameRef(ref, modelRef));
  if (target === undefined || modelRef === undefined || !isJsonObject(before?.document)) {
    return verifyDeletion(write, context);
  }
  const reader = new DocumentReader(context.client);
  const current = asObject(await reader.readDocument(modelRef));
  const { writtenIds = new Set<string>() } = context;
  const { datasetId } = write.params;
  const getTarget = (model: JsonObject): JsonObject | undefined =>
    target.kind === 'dataset'
      ? getObjects(model['datasets']).find(({ oid }) => oid === datasetId)
      : 'oid' in model
        ? model
        : undefined;
  const document = getTarget(current);
  if (document === undefined) {
    return deletedOutcome;
  }
  const compared = [current, before.document].map((model): ReadDocument => {
    const content =
      target.kind === 'dataset'
        ? getContentOfDataset(getTarget(model), model, writtenIds)
        : getContent(model);
    return { ref: target, document: content };
  });
  const [now = before, then = before] = compared;
  if (getTarget(before.document) !== undefined && !isSameDocument(now, then, writtenIds)) {
    return { state: 'not-happened', changedDocument: { ref: target, document } };
  }
  const changedDocument =
    target.kind === 'datamodel' ? await findChangedRules(before.document, context, reader) : undefined;
  return changedDocument === undefined ? notHappenedOutcome : { state: 'not-happened', changedDocument };
}

/** Returns the rules of a datamodel if others have changed them since they were read for its deletion. */
async function findChangedRules(
  document: JsonObject,
  { before, writtenRules }: VerifyContext,
  reader: DocumentReader,
): Promise<ReadDocument | undefined> {
  const model = datamodelSchema.safeParse(document).data;
  const ref = model && ({ kind: 'rules', subject: getRuleSubject(model) } as const);
  const previous = before.find((candidate) => ref !== undefined && isSameRef(candidate.ref, ref));
  // Rules that the operation has changed itself are no longer as they were before it.
  if (ref === undefined || previous === undefined || writtenRules?.has(getRefKey(ref)) === true) {
    return undefined;
  }
  const current = { ref, document: await reader.readDocument(ref) };
  return isSameDocument(sortRules(current), sortRules(previous)) ? undefined : current;
}

const sortRules = ({ ref, document }: ReadDocument): ReadDocument => ({
  ref,
  document: document && sortByText(getObjects(document), ({ _id }) => getText(_id)),
});

/** Returns what a datamodel contains, without what the server may change whenever a part of it changes. */
const getContent = ({ title = null, datasets, relations }: JsonObject): JsonObject => ({
  title,
  datasets: sortByOid(getObjects(datasets).map(getOwnContent)),
  relations: sortByOid(getObjects(relations)),
});

/** Returns what a dataset contains, and the relations of its tables. */
function getContentOfDataset(
  dataset: JsonObject | undefined,
  { relations }: JsonObject,
  writtenIds: ReadonlySet<string>,
): JsonObject {
  const content = getOwnContent(dataset ?? {});
  const tableIds = new Set(getObjects(content['tables']).map(({ oid }) => oid));
  const isOfTable = ({ table = null }: JsonObject): boolean => tableIds.has(table);
  return {
    ...(writtenIds.has(getText(content['oid'])) ? omitMembers(content, 'connection') : content),
    relations: sortByOid(getObjects(relations).filter(({ columns }) => getObjects(columns).some(isOfTable))),
  };
}

const getOwnContent = ({ oid = null, name = null, connection, schema }: JsonObject): JsonObject => ({
  oid,
  name,
  connection: omitMembers(asObject(connection), ...serverConnectionFields),
  tables: sortByOid(getObjects(asObject(schema)['tables'])),
});

const sortByOid = (items: readonly JsonObject[]): readonly JsonValue[] =>
  sortByText(items, ({ oid }) => getText(oid));
