import type { JsonObject } from '../../../../src/base/json.ts';
import { expect } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { type EndedState, recordEndedApply } from '../../../../src/project/apply/endedApply.ts';
import { computeRecordedState } from '../../../../src/project/apply/finishApply.ts';
import { type ProjectPlan, loadProjectPlan } from '../../../../src/project/apply/loadProjectPlan.ts';
import { hashInstance } from '../../../../src/project/pull/instanceHash.ts';
import type { PrunedKind } from '../../../../src/project/plan/compareProject.ts';
import { defaultProjectSettings } from '../../../../src/project/settings/projectSettings.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { connectionId, createTableRef, getIds } from '../../changes/run/support.ts';
import type { PulledProject } from '../pull/pullSupport.ts';
import { summarize } from '../plan/planSupport.ts';
import {
  type InstanceContent,
  TestInstance,
  getTestConnection,
  pullNew,
  readQueryColumns,
} from './roundTripSupport.ts';
import { createDemoContent } from './demoContent.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';

const address = { url: 'https://shop.example.com' };
const folder = '/project';

/** A project that was pulled from an instance, and the history of its applies and their undos. */
export class UndoFixture implements Disposable {
  readonly instance: TestInstance;
  readonly project: PulledProject;
  readonly #windows: ReturnType<TestInstance['fixture']['open']>;
  /** What the project manages. */
  settings = defaultProjectSettings;
  /** The kinds of the items that an apply deletes if the project doesn't have them. */
  readonly prunedKinds: ReadonlySet<PrunedKind>;

  private constructor(instance: TestInstance, project: PulledProject, prunedKinds: ReadonlySet<PrunedKind>) {
    this.instance = instance;
    this.project = project;
    this.prunedKinds = prunedKinds;
    this.#windows = instance.fixture.open();
  }

  static async create(
    profile: ProfileName,
    {
      content = createSmallDemo(),
      sql = [],
      prunedKinds = [],
    }: {
      readonly content?: InstanceContent & Pick<Required<InstanceContent>, 'datamodels'>;
      /** The SQL of custom tables that returns no columns. */
      readonly sql?: readonly string[];
      readonly prunedKinds?: readonly PrunedKind[];
    } = {},
  ): Promise<UndoFixture> {
    const queryColumns = new Map(readQueryColumns(content.datamodels));
    sql.forEach((text) => queryColumns.set(text, [{ name: 'Store', type: 18 }]));
    const instance = new TestInstance(profile, content, queryColumns);
    await instance.build();
    const project = await pullNew(instance);
    project.lock = { ...project.lock, instance: hashInstance(address) };
    return new UndoFixture(instance, project, new Set(prunedKinds));
  }

  /** Replaces the files of the project by those of another instance, so that an apply makes this instance like it. */
  async adopt(content: InstanceContent): Promise<void> {
    using other = new TestInstance(this.instance.profile, content);
    await other.build();
    const { texts } = await pullNew(other);
    this.project.texts.clear();
    texts.forEach((text, path) => this.project.texts.set(path, text));
  }

  /** Compares the project with the instance. */
  load(project = this.project): Promise<ProjectPlan> {
    return loadProjectPlan(
      {
        folder,
        settings: this.settings,
        environmentName: 'test',
        connections: getConnections(project),
        address,
        connectionId,
      },
      {
        openClient: async () => this.instance.fixture.client,
        limits: {},
        prunedKinds: this.prunedKinds,
        variables: {},
        signal: new AbortController().signal,
        log: silentLog,
        files: {
          readLockFile: async () => ({ text: project.lockText }),
          readTexts: async () => ({ texts: project.texts, faults: [] }),
        },
      },
    );
  }

  /** Formats the changes that an apply would make. */
  async listChanges(): Promise<readonly string[]> {
    return summarize((await this.load()).prepared.comparison).changes;
  }

  /** Applies the project, and returns the journal. */
  async apply(): Promise<HistoryEntry> {
    const applied = await this.load();
    const { problems } = applied.prepared.compiled;
    if (problems.length > 0) {
      throw new Error(JSON.stringify(problems));
    }
    const { writer, history } = this.#windows;
    const { planHash } = await writer.plan(applied.operation);
    await writer.run(applied.operation, { approval: writer.approve(planHash), confirmedPlanHash: planHash });
    this.project.lock = computeRecordedState(await this.load(), { appliedPlan: applied }).lock;
    const [entry] = await history.readEntries(connectionId);
    return expectDefined(entry);
  }

  /** Applies the project to an instance that refuses the second request, and abandons the apply. */
  async abandonApply(): Promise<HistoryEntry> {
    const { fixture } = this.instance;
    let count = 0;
    fixture.getWriteFault = () => ((count += 1) > 1 ? 'refusal' : undefined);
    await expect(this.apply()).rejects.toThrow(StoppedError);
    fixture.getWriteFault = () => undefined;
    return this.#windows.writer.abandon(expectDefined(await this.readLatest()));
  }

  /** Returns the latest change; `undefined` if there was none. */
  async readLatest(): Promise<HistoryEntry | undefined> {
    const [entry] = await this.#windows.history.readEntries(connectionId);
    return entry;
  }

  /** Finishes a stopped change, or rolls it back. */
  async end(entry: HistoryEntry, ending: 'resume' | 'rollBack'): Promise<void> {
    await this.#windows.writer[ending](entry);
  }

  /** Undoes an entry of the history on the instance, and overwrites later changes if asked to. */
  async undo(entry: HistoryEntry, overwrites: 'everything' | 'nothing' = 'nothing'): Promise<HistoryEntry> {
    const { writer, history } = this.#windows;
    const overwrittenIds = new Set<string>();
    let undo = await writer.planUndoForReview(entry, 'undo', { overwrittenIds, names: new Map() });
    if (overwrites === 'everything') {
      undo.laterChanges.forEach(({ id }) => overwrittenIds.add(id));
      undo = await writer.planUndoForReview(entry, 'undo', { overwrittenIds, names: new Map() });
    }
    const { planHash } = await writer.plan(undo.operation);
    await writer.run(undo.operation, {
      approval: writer.approve(planHash),
      alwaysReview: true,
      expectedVersions: undo.expectedVersions,
      undoneEntryId: entry.id,
      undoCountBefore: undo.undoCountBefore,
      restoredIds: undo.restoredIds,
    });
    const [undone] = await history.readEntries(connectionId);
    return expectDefined(undone);
  }

  /** Records the state of the instance after the undo of an apply in the lock of a project. */
  async record(entry: HistoryEntry, project = this.project): Promise<EndedState> {
    const entries = await this.#windows.history.readEntries(connectionId);
    const recorded = recordEndedApply(await this.load(project), { entry, entries });
    project.lock = recorded.lock;
    return recorded;
  }

  /** Changes a table of the datamodel Retail as another user. */
  async changeTable(name: string, body: JsonObject): Promise<void> {
    const { client } = this.instance.fixture;
    await client.tables.update(
      getIds(createTableRef(name)) as Parameters<typeof client.tables.update>[0],
      body,
    );
  }

  /** Pulls, and returns the paths of the files that the pull has changed, and its conflicts. */
  async pull(project = this.project) {
    const { writes, deletions, conflicts, deletedOnInstance, skippedItems } =
      await this.instance.pull(project);
    project.lock = { ...project.lock, instance: hashInstance(address) };
    return {
      changed: [...writes, ...deletions].map(({ path }) => path),
      conflicts: conflicts.map(({ reason, path }) => `${reason} ${path ?? ''}`),
      deletedOnInstance: deletedOnInstance.length,
      skipped: skippedItems.length,
    };
  }

  [Symbol.dispose](): void {
    this.instance[Symbol.dispose]();
  }
}

export const pulledNothing = { changed: [], conflicts: [], deletedOnInstance: 0, skipped: 0 };

/** A part of the demo, which is faster. */
function createSmallDemo(): InstanceContent & Pick<Required<InstanceContent>, 'datamodels'> {
  const { datamodels, extractRules, viewpoints, users, groups } = createDemoContent();
  const names = ['Revenue by Region', 'Revenue by Category', 'Refunds by Region'];
  return {
    datamodels: datamodels.filter(({ title }) => title !== 'Support Desk'),
    extractRules,
    liveRules: [],
    viewpoints: viewpoints.filter(({ name }) => names.some((other) => other === name)),
    users,
    groups,
  };
}

/** Returns the connections that an environment has for all datasets in the files of a project. */
const getConnections = ({ texts }: PulledProject) => {
  const connections: Record<string, Record<string, JsonObject>> = {};
  for (const path of texts.keys()) {
    const [, datamodel = '', dataset = ''] =
      /^datamodels\/([^/]*)\/datasets\/(.*)\.dataset\.json$/.exec(path) ?? [];
    if (dataset !== '') {
      (connections[datamodel] ??= {})[dataset] = getTestConnection();
    }
  }
  return connections;
};
