import { type RuleSubject, isCubeSetRuleSubject } from '../../catalog/ruleSubject.ts';
import type { WriteState } from '../journal/entry.ts';
import { readInterruptedChangesWithUndos } from '../journal/interruptedChanges.ts';
import { InterruptedChangeError, type UnfinishedChanges } from '../journal/requireFinished.ts';
import { mayHaveWritten } from '../journal/stoppedOperation.ts';
import type { Operation, RequiredBuild, Write } from '../model/operation.ts';
import { asObject, getText } from '../model/jsonMembers.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';

/** The writes of an operation, and how far they got. */
interface Progress {
  readonly operation: Pick<Operation, 'cause' | 'writes' | 'builds'>;
  readonly writeStates: readonly WriteState[];
}

/** A datamodel whose tables and relations an operation writes. */
export interface WrittenDatamodel {
  /** `new:0` for a datamodel that the first write creates. */
  readonly datamodelId: string;
  /** Empty if it's unknown: journals of earlier versions don't contain it. */
  readonly title: string;
  readonly type: RequiredBuild['type'];
}

/**
 * Finds a change that was interrupted, or is being made by another process, between its writes of the tables and
 * relations of a datamodel, or whose rollback was: a build would use what has been written so far. Returns the error to
 * throw; `undefined` if there is no such change.
 * @param history the journals of this machine; changes from other machines are unknown
 */
export async function findUnfinishedDatamodelChange(
  history: UnfinishedChanges,
  connectionId: string,
  datamodel: DatamodelOnInstance,
): Promise<InterruptedChangeError | undefined> {
  const running = await history.readRunningEntries(connectionId);
  const entry =
    running.find((candidate) => mayHaveWrittenDatamodel(candidate, datamodel, { isRunning: true })) ??
    (await readInterruptedChangesWithUndos(history, connectionId)).find((candidate) =>
      [candidate.entry, ...candidate.undos].some((part) =>
        mayHaveWrittenDatamodel(part, datamodel, { isRunning: false }),
      ),
    )?.entry;
  return (
    entry &&
    new InterruptedChangeError(entry, entry.end === undefined ? history.getProcessState(entry) : 'ended')
  );
}

/** A datamodel on the instance. */
export interface DatamodelOnInstance {
  readonly oid: string;
  readonly title: string;
}

/**
 * Lists the datamodels whose tables and relations an operation that isn't done has written in part, or may have: a new
 * table might not have its relations yet, so after a build, rules might not restrict it (docs/projects.md, "Apply").
 * Also lists those whose new or restored tables or changed relations are written, but not all of their rules.
 */
export function listPartlyWrittenDatamodels({
  operation,
  writeStates,
}: Progress): readonly WrittenDatamodel[] {
  const getStates = (indices: readonly number[]) => indices.flatMap((index) => writeStates[index] ?? []);
  return listWrittenDatamodels(operation).flatMap(({ indices, ...datamodel }) => {
    const states = getStates(indices);
    const allStates = [...states, ...getStates(findRuleWrites(operation, { indices, ...datamodel }))];
    // A single write is done as a whole or not at all.
    const isPartlyWritten =
      allStates.length > 1 &&
      mayHaveWritten({ writeStates: states }) &&
      allStates.some(({ state }) => state !== 'done');
    return isPartlyWritten ? [datamodel] : [];
  });
}

/**
 * Returns whether an operation that isn't done writes tables or relations of a datamodel, and may have written some.
 * @param options.isRunning whether another process is carrying it out, so that its journal doesn't show how far it is
 */
export function mayHaveWrittenDatamodel(
  progress: Progress,
  { oid, title }: DatamodelOnInstance,
  { isRunning }: { readonly isRunning: boolean },
): boolean {
  const { operation, writeStates } = progress;
  const datamodels = isRunning ? listWrittenDatamodels(operation) : listPartlyWrittenDatamodels(progress);
  return datamodels.some(({ datamodelId, title: writtenTitle }) => {
    const index = readNewIndex(datamodelId);
    if (index === undefined) {
      return datamodelId === oid;
    }
    const creation = writeStates[index];
    const createdId = creation?.state === 'done' ? getText(asObject(creation.answer)['oid']) : '';
    return createdId === '' ? writtenTitle === title : createdId === oid;
  });
}

/** Lists the datamodels whose tables and relations an operation writes, with the indices of these writes. */
function listWrittenDatamodels({
  cause,
  writes,
  builds,
}: Progress['operation']): readonly (WrittenDatamodel & { readonly indices: readonly number[] })[] {
  const structureWrites = writes.flatMap((write, index) =>
    isStructureWrite(write) ? [{ index, datamodelId: getDatamodelId(write) }] : [],
  );
  return [...Map.groupBy(structureWrites, ({ datamodelId }) => datamodelId)].flatMap(
    ([datamodelId, group]) => {
      const build = builds?.find((candidate) => candidate.datamodelId === datamodelId);
      // The plan of an apply knows all builds. Without one, its writes change only what isn't built, such as
      // descriptions.
      if (build === undefined && builds !== undefined && cause === 'apply') {
        return [];
      }
      const creation = writes[readNewIndex(datamodelId) ?? -1];
      return [
        {
          datamodelId,
          title: build?.title ?? getText(asObject(creation?.body)['title']),
          type: build?.type ?? 'schema_changes',
          indices: group.map(({ index }) => index),
        },
      ];
    },
  );
}

/**
 * Returns the indices of the writes of the rules of a datamodel that restrict what its new tables and changed relations
 * show after a build. Rules don't depend on other changes of tables. The rules of a new datamodel may wait for its
 * first build (docs/platform-facts.md, 3.1), and until it's shared, only its creator has access to it.
 */
function findRuleWrites(
  { writes }: Progress['operation'],
  { datamodelId, indices, title }: WrittenDatamodel & { readonly indices: readonly number[] },
): readonly number[] {
  const isNew = readNewIndex(datamodelId) !== undefined;
  const isLinking = indices.some((index) => {
    const { endpoint = '' } = writes[index] ?? {};
    return endpoint === 'tables.create' || endpoint.startsWith('relations.');
  });
  return isNew || !isLinking
    ? []
    : [...writes.keys()].filter((index) => {
        const subject = getWriteRuleSubject(writes[index] ?? {});
        return subject !== undefined && !isCubeSetRuleSubject(subject) && getSubjectName(subject) === title;
      });
}

const getSubjectName = (subject: RuleSubject): string =>
  subject.kind === 'live' ? subject.title : subject.elasticube;

/** Returns whether a write changes what a build reads (rest-api.md, "Build API"). */
const isStructureWrite = ({ endpoint }: Write): boolean =>
  ['datasets.', 'tables.', 'relations.'].some((prefix) => endpoint.startsWith(prefix));

/** Returns the ID of the datamodel that a write is in; `new:0` if the first write creates it. */
function getDatamodelId({ params, outputRefs = [] }: Write): string {
  const creation = outputRefs.find(({ into: [root, name] }) => root === 'params' && name === 'datamodelId');
  return creation === undefined ? (params.datamodelId ?? '') : `new:${creation.write}`;
}

const readNewIndex = (datamodelId: string): number | undefined => {
  const [, index] = /^new:(\d+)$/.exec(datamodelId) ?? [];
  return index === undefined ? undefined : Number(index);
};
