import type { JsonObject } from '../../base/json.ts';
import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import { HttpError } from '../../client/errors.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import type { Project } from '../files/project.ts';
import { type ConvertedInstance, convertInstance } from '../instance/convertInstance.ts';
import type { ItemKey } from '../item.ts';
import {
  type CompareInput,
  type PrunedKind,
  type ProjectComparison,
  compareProject,
} from '../plan/compareProject.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import { createNotConvertedCheck, getBrokenRelations } from '../instance/conversionResult.ts';
import { createNotPulledCheck, createUnreadPartiesCheck } from '../pull/notPulledItems.ts';
import type { Lock } from '../pull/lock.ts';
import type { InstanceReading } from '../source/readInstance.ts';
import { type CompiledOperation, compileOperation } from './compileOperation.ts';
import { readDatamodelType } from '../datamodelType.ts';
import {
  type OutsideReader,
  compareOutsideLimits,
  listUnknownRules,
  nothingOutside,
} from './outsideLimits.ts';
import { findPartyIds } from './partyIds.ts';

/** What a plan is prepared from: the project and the instance, both just read. */
export interface PlanInput {
  readonly client: PlatformClient;
  readonly project: Project;
  readonly lock: Lock;
  readonly reading: InstanceReading;
  readonly prunedKinds: ReadonlySet<PrunedKind>;
  /** The filters that find custom data objects, by the names that the project gives to these objects. */
  readonly customDataFilters: ReadonlyMap<string, JsonObject>;
  /** Returns the connection that the environment has for a dataset, with its secrets. */
  readonly getConnection: (datamodel: string, dataset: string) => JsonObject | undefined;
  readonly signal: AbortSignal;
  /** Reads what the limits of the plan leave out; absent if it has none. */
  readonly outsideReader?: OutsideReader | undefined;
}

/** A comparison of a project with an instance, and the writes that apply it. */
export interface PreparedPlan {
  readonly pulled: ConvertedInstance;
  readonly comparison: ProjectComparison;
  /** Compares again with another lock or project, or with other kinds to delete. */
  readonly recompare: (
    overrides: Pick<CompareInput, 'lock'> & Partial<Pick<CompareInput, 'project' | 'prunedKinds'>>,
  ) => ProjectComparison;
  readonly compiled: CompiledOperation;
  /** Selected items of the project that exist on the instance under a name that the project doesn't manage. */
  readonly itemsUnderOtherNames: readonly ItemKey[];
  /** Selected items of the project that exist on the instance, but could not be read there. */
  readonly unreadItems: readonly ItemKey[];
  /** All selected items that could not be compared. */
  readonly uncomparedItems: readonly ItemKey[];
}

/**
 * Compares a project with an instance, and creates the writes that bring the instance to the state of the project.
 * Sends no write.
 * @throws ApiError
 */
export async function preparePlan(input: PlanInput): Promise<PreparedPlan> {
  const { client, project, lock, reading, prunedKinds, getConnection, signal } = input;
  const pulled = convertInstance({ ...reading.documents, numberedReferences: lock.numberedReferences });
  const isNotPulled = createNotPulledCheck(lock, pulled, reading.listedIds);
  const compareInput: CompareInput = {
    project,
    lock,
    pulled,
    prunedKinds,
    isUnknownOnInstance: (key) => reading.isNotRead(key) || isNotPulled(key),
    hasUnreadParties: createUnreadPartiesCheck(pulled, reading.scope),
  };
  const comparison = compareProject(compareInput);
  const partyIds = await findPartyIds(comparison.changes, {
    documents: reading.documents,
    listsAll: reading.hasUserLists,
    numberedReferences: lock.numberedReferences,
    client,
    signal,
  });
  const compiled = compileOperation({
    comparison,
    project,
    documents: reading.documents,
    identities: [...pulled.identities, ...getBrokenRelations(pulled.notes)],
    partyIds,
    customDataFilters: input.customDataFilters,
    getConnection,
    titlesThatNeedBuild: await findTitlesThatNeedBuild(comparison.changes, input),
    unknownRules: listUnknownRules(comparison, reading),
    outsideLimits:
      input.outsideReader === undefined
        ? nothingOutside
        : await compareOutsideLimits(comparison, { project, lock, reading, reader: input.outsideReader }),
  });
  const notPulled = project.items
    .map(({ key }) => key)
    .filter((key) => reading.isSelected(key) && isNotPulled(key));
  // If an item could not be read, its name on the instance is unknown, so it doesn't count as having another one.
  const isNotConverted = createNotConvertedCheck(pulled);
  const underOtherNames = notPulled.filter((key) => !reading.isNotRead(key) && !isNotConverted(key));
  return {
    pulled,
    comparison,
    recompare: (changes) => compareProject({ ...compareInput, ...changes }),
    compiled,
    itemsUnderOtherNames: underOtherNames,
    unreadItems: notPulled.filter((key) => !underOtherNames.includes(key)),
    uncomparedItems: comparison.uncomparedItems.filter(reading.isSelected),
  };
}

/**
 * Finds the datamodels whose rules the instance accepts only after their first build: until then, it answers 404 when
 * their rules are listed (platform-facts.md, 3.1).
 * @throws ApiError
 */
async function findTitlesThatNeedBuild(
  changes: readonly ItemChange[],
  { client, reading, signal }: Pick<PlanInput, 'client' | 'reading' | 'signal'>,
): Promise<ReadonlySet<string>> {
  const datamodelsByTitle = new Map(
    reading.documents.datamodels.map(({ document, rules }) => [
      getText(document['title']),
      { document, rules },
    ]),
  );
  const contents = new Map(
    changes.flatMap(({ key, parts }) =>
      key.kind === 'datamodel' ? [[key.datamodel, parts[0]?.after] as const] : [],
    ),
  );
  const titles = new Set(
    changes.flatMap(({ key }) =>
      key.kind === 'rules' && (datamodelsByTitle.get(key.datamodel)?.rules.length ?? 0) === 0
        ? [key.datamodel]
        : [],
    ),
  );
  const titlesThatNeedBuild = new Set<string>();
  for (const title of titles) {
    const type = readDatamodelType(datamodelsByTitle.get(title)?.document ?? contents.get(title));
    const server = getText(datamodelsByTitle.get(title)?.document['server']);
    const subject = getRuleSubject({ title, type, ...(server === '' ? {} : { server }) });
    try {
      await (subject.kind === 'live'
        ? client.liveRules.list(subject, signal)
        : client.extractRules.list(subject, signal));
    } catch (error) {
      if (!(error instanceof HttpError && error.isNotFound)) {
        throw error;
      }
      titlesThatNeedBuild.add(title);
    }
  }
  return titlesThatNeedBuild;
}
