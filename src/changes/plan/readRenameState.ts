import type { PlatformClient } from '../../client/platformClient.ts';
import { isJsonObject } from '../../base/json.ts';
import type { NamedDatamodels, NamedDatamodel } from '../../catalog/namedDatamodels.ts';
import { getRuleSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema, getDatamodelType } from '../../contract/datamodel.ts';
import { getObjects } from '../model/jsonMembers.ts';
import { getAllTables } from './rename/renameOperation.ts';
import type { RenameState } from './rename/renameState.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { readViewpointDocuments } from '../model/readViewpointDocuments.ts';
import { loadViewpointsIfSupported } from '../model/loadViewpointsIfSupported.ts';

export interface RenameStateOptions {
  readonly signal?: AbortSignal;
  /** The cube sets that the user has added: an extract datamodel may belong to any of them. */
  readonly cubeSets?: {
    readonly subjects: readonly RuleSubject[];
    /** The table that is renamed, or whose columns are. */
    readonly tableId: string;
    readonly namedDatamodels: Pick<NamedDatamodels, 'getAll'>;
  };
}

/**
 * Reads the current documents that a rename in a datamodel may affect, without loss. Unlike a plan, fails if a part
 * can't be read: a rule left on the old name would protect nothing.
 * @returns `undefined` if the datamodel no longer exists
 * @throws ApiError
 */
export async function readRenameState(
  client: PlatformClient,
  datamodelId: string,
  { signal, cubeSets }: RenameStateOptions = {},
): Promise<RenameState | undefined> {
  const reader = new DocumentReader(client, signal);
  const model = await reader.readDocument({ kind: 'datamodel', datamodelId });
  if (!isJsonObject(model)) {
    return undefined;
  }
  const subject = getRuleSubject(datamodelSchema.parse(model));
  const subjects = [subject, ...(subject.kind === 'extract' ? (cubeSets?.subjects ?? []) : [])];
  const [rules, viewpoints] = await Promise.all([
    Promise.all(
      subjects.map(async (ruleSubject) => ({
        subject: ruleSubject,
        rules: getObjects(await reader.readDocument({ kind: 'rules', subject: ruleSubject })),
      })),
    ),
    loadViewpointsIfSupported(() => readViewpointDocuments(client, { with: 'details' }, signal)),
  ]);
  const tableName = getAllTables(model).find(({ oid }) => oid === cubeSets?.tableId)?.['name'];
  const isNamedByCubeSet = rules
    .slice(1)
    .some((subjectRules) => subjectRules.rules.some(({ table }) => table === tableName));
  return {
    model,
    rules,
    viewpoints,
    ...(cubeSets !== undefined && isNamedByCubeSet
      ? { otherDatamodels: await loadOtherExtractDatamodels(cubeSets.namedDatamodels, datamodelId) }
      : {}),
  };
}

const loadOtherExtractDatamodels = async (
  namedDatamodels: Pick<NamedDatamodels, 'getAll'>,
  datamodelId: string,
): Promise<readonly NamedDatamodel[]> =>
  (
    await namedDatamodels.getAll(
      (datamodel) => datamodel.oid !== datamodelId && getDatamodelType(datamodel) !== 'live',
    )
  ).datamodels;
