import {
  getCubeSetRuleSubject,
  getRuleSubject,
  isSameSubject,
  type RuleSubject,
} from '../../catalog/ruleSubject.ts';
import { HttpError } from '../../client/errors.ts';
import { type Datamodel, datamodelSchema } from '../../contract/datamodel.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { asObject, getText } from '../model/readJson.ts';
import { mayShowMore } from '../rules/requiredRules.ts';
import type { WriteSession } from './runOptions.ts';

/** What the rules of an operation are read with. */
interface RuleSources {
  readonly session: Pick<WriteSession, 'catalog'>;
  readonly reader: DocumentReader;
  /** The known cube sets: their rules may be on tables of any extract datamodel. */
  readonly cubeSets: readonly RuleSubject[];
}

/**
 * Reads all rules of the datamodels in which an operation creates, renames, shows, or deletes tables or columns, and of
 * the cube sets. They are recorded with the operation: what it makes visible must be as restricted as it was when the
 * operation began, and so must what its undo gives back. Rules that the user isn't allowed to read are left out.
 * @param before the documents from before the operation, which may contain some of the rules
 * @returns the documents that `before` lacks
 * @throws ApiError
 */
export async function readRulesInForce(
  { writes }: Pick<Operation, 'writes'>,
  before: readonly ReadDocument[],
  { session, reader, cubeSets }: RuleSources,
): Promise<readonly ReadDocument[]> {
  const modelWrites = writes.filter(({ endpoint }) => /^(?:datamodels|datasets|tables)\./.test(endpoint));
  if (!mayShowMore(modelWrites.length === 0 ? [] : writes, before)) {
    return [];
  }
  const models = new Map<string, Pick<Datamodel, 'title' | 'type' | 'server'>>();
  for (const write of modelWrites) {
    const { datamodelId = '' } = write.params;
    const key = datamodelId === '' ? getText(asObject(write.body)['title']) : datamodelId;
    const model = models.get(key) ?? (await findDatamodel(write, before, session));
    if (model !== undefined) {
      models.set(key, model);
    }
  }
  const modelSubjects = [...models.values()].map(getRuleSubject);
  const subjects = [
    ...modelSubjects,
    ...(modelSubjects.some(({ kind }) => kind === 'extract') ? cubeSets : []),
  ].filter(
    (subject, index, all) =>
      all.findIndex((other) => isSameSubject(other, subject)) === index &&
      !before.some(({ ref }) => ref.kind === 'rules' && isSameSubject(ref.subject, subject)),
  );
  const documents: ReadDocument[] = [];
  for (const subject of subjects) {
    const ref = { kind: 'rules', subject } as const;
    try {
      documents.push({ ref, document: await reader.readDocument(ref) });
    } catch (error) {
      if (!(error instanceof HttpError && error.isForbidden)) {
        throw error;
      }
    }
  }
  return documents;
}

/** Returns the datamodel of a write; `undefined` if an earlier write creates it. */
async function findDatamodel(
  { endpoint, params: { datamodelId = '' }, body }: Write,
  before: readonly ReadDocument[],
  { catalog }: RuleSources['session'],
): Promise<Pick<Datamodel, 'title' | 'type' | 'server'> | undefined> {
  if (datamodelId === '') {
    return endpoint === 'datamodels.create'
      ? datamodelSchema.safeParse({ ...asObject(body), oid: 'new' }).data
      : undefined;
  }
  const document = before.find(
    ({ ref }) => ref.kind === 'datamodel' && ref.datamodelId === datamodelId,
  )?.document;
  return (
    datamodelSchema.safeParse(document).data ??
    catalog.getKnownDatamodel(datamodelId) ??
    (await catalog.datamodel(datamodelId))
  );
}

/** Returns the cube sets whose rules may be on the tables of an operation, each once. */
export const getCubeSetSubjects = (
  { cubeSets = [] }: Pick<Operation, 'cubeSets'>,
  known: readonly RuleSubject[],
): readonly RuleSubject[] =>
  [...known, ...cubeSets.map((name) => getCubeSetRuleSubject(name))].filter(
    (subject, index, all) => all.findIndex((other) => isSameSubject(subject, other)) === index,
  );
