import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { getRuleSubject, isCubeSetRuleSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import type { Write } from '../model/operation.ts';
import { asObject } from '../model/jsonMembers.ts';
import { getDatamodelKey } from './nameEffects.ts';

/** A document from before an operation. */
interface DocumentBefore {
  readonly ref: ResourceRef;
  readonly datamodels?: readonly string[] | undefined;
}

/**
 * The subjects of the rules of the datamodels of an operation, by `getDatamodelKey`; `undefined` if it isn't known
 * which of the recorded rules are those of the datamodel.
 */
export type DatamodelSubjects = ReadonlyMap<string, RuleSubject | undefined>;

/**
 * Finds the subjects of the datamodels whose datasets, tables, or relations an operation writes.
 * @param find returns the subject of a datamodel that existed before
 */
export async function findDatamodelSubjects(
  writes: readonly Write[],
  find: (datamodelId: string) => Promise<RuleSubject | undefined>,
): Promise<DatamodelSubjects> {
  const subjects = new Map<string, RuleSubject | undefined>();
  const created = new Map<string, RuleSubject>();
  for (const [index, write] of writes.entries()) {
    const key = getDatamodelKey(write, index);
    const model =
      write.endpoint === 'datamodels.create'
        ? datamodelSchema.safeParse({ ...asObject(write.body), oid: key }).data
        : undefined;
    if (model !== undefined) {
      created.set(key, getRuleSubject(model));
    }
    if (key !== '' && !subjects.has(key) && /^(?:datasets|tables|relations)\./.test(write.endpoint)) {
      subjects.set(
        key,
        created.get(key) ?? (key === write.params['datamodelId'] ? await find(key) : undefined),
      );
    }
  }
  return subjects;
}

/**
 * Sets the datamodels that recorded rules may apply to. Rules have the title of their datamodel, which documents of
 * tables lack. Nothing lists the datamodels of a cube set (rest-api.md, "Endpoints"), so its rules may apply to each
 * extract datamodel of the operation.
 * @returns the documents; rules whose datamodels aren't known stay as they are
 */
export function addRuleDatamodels<Document extends DocumentBefore>(
  documents: readonly Document[],
  subjects: DatamodelSubjects,
): readonly Document[] {
  const keysBySubject = Map.groupBy(subjects.keys(), (key) => getSubjectKey(subjects.get(key)));
  const extractKeys = [...subjects].filter(([, subject]) => subject?.kind !== 'live').map(([key]) => key);
  const hasUnknown = keysBySubject.has(undefined);
  const findDatamodels = (subject: RuleSubject): readonly string[] | undefined =>
    isCubeSetRuleSubject(subject)
      ? extractKeys
      : (keysBySubject.get(getSubjectKey(subject)) ?? (hasUnknown ? undefined : []));
  return documents.map((document) => {
    if (!('subject' in document.ref) || document.datamodels !== undefined) {
      return document;
    }
    const datamodels = findDatamodels(document.ref.subject);
    return datamodels === undefined ? document : { ...document, datamodels };
  });
}

/** Returns a key of a subject; servers spell the name of a server in several ways (platform-facts.md, 3.1). */
const getSubjectKey = (subject: RuleSubject | undefined): string | undefined =>
  subject?.kind === 'extract'
    ? JSON.stringify(['extract', subject.server.toLowerCase(), subject.elasticube])
    : subject && JSON.stringify(['live', subject.title]);

/** Returns whether the rules of a subject are those of another; see {@link getSubjectKey}. */
export const isEquivalentSubject = (subject: RuleSubject, other: RuleSubject): boolean =>
  getSubjectKey(subject) === getSubjectKey(other);
