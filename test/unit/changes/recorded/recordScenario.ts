import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseLossless, stringify } from '../../../../src/base/json.ts';
import { maskConnectorDocument } from '../../../../src/base/secrets/maskSecrets.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { canResume, getRecovery } from '../../../../src/changes/journal/stoppedOperation.ts';
import type { Operation, Write } from '../../../../src/changes/model/operation.ts';
import type { UndoForReview } from '../../../../src/changes/run/planUndoForReview.ts';
import type { RunOptions } from '../../../../src/changes/run/runOptions.ts';
import { PlanNeededError, type StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { Writer } from '../../../../src/changes/run/writer.ts';
import { ChangeFixture, connectionId, createOperation } from '../run/support.ts';
import { killWindow } from '../run/simulateInterruption.ts';
import {
  describeDifference,
  describePlan,
  describeStates,
  describeUndo,
  formatRef,
  omitManaged,
  readInstanceLines,
} from './describe.ts';
import { replaceIds, getModelIds, smallSeed } from './smallInstance.ts';

/** What happens to the write request with an index, counted from 0. */
export interface Failure {
  readonly at: number;
  /**
   * `request` or `answer`: the request or its response is lost; a `refusal` has status 403. `out-of-order`: after a
   * lost response, every request has status 500. `killed`: the window is killed when the response arrives;
   * `killed-before`: before the request arrives.
   */
  readonly kind: 'request' | 'answer' | 'refusal' | 'out-of-order' | 'killed' | 'killed-before';
}

type Step = (fixture: ChangeFixture) => Promise<unknown>;

/** An operation on the small instance, and what happens to it. */
export interface Scenario {
  readonly name: string;
  readonly writes: (
    fixture: ChangeFixture,
  ) => readonly Write[] | Operation | Promise<readonly Write[] | Operation>;
  readonly cause?: Operation['cause'];
  readonly failure?: Failure;
  /** Returns whether a response is empty, by method and path. */
  readonly hasEmptyResponse?: (line: string) => boolean;
  /** What another user does after the operation, before it is ended. */
  readonly otherUserChange?: Step;
  /**
   * How it is ended: `-keeping` and `-overwriting` are reviewed undos and restores that keep or overwrite what another
   * user has changed since.
   */
  readonly ending?:
    | 'undo'
    | 'undo-keeping'
    | 'undo-overwriting'
    | 'restore'
    | 'restore-keeping'
    | 'restore-overwriting'
    | 'resume'
    | 'rollBack'
    | 'abandon'
    | 'none';
  readonly names?: ReadonlyMap<string, string>;
}

class Recording {
  readonly fixture: ChangeFixture;
  readonly lines: string[] = [];
  #requestCount = 0;
  #changeCount = 0;

  constructor(fixture: ChangeFixture) {
    this.fixture = fixture;
  }

  add(...lines: readonly string[]): void {
    this.lines.push(...lines);
  }

  /** Adds the requests since the last call, and the invalidated parts of the catalog. */
  addRequests({ omitsReads }: { readonly omitsReads: boolean }): void {
    const { requests } = this.fixture.transport;
    const newRequests = requests.slice(this.#requestCount);
    const shownRequests = newRequests.filter(({ method }) => !omitsReads || method !== 'GET');
    this.add(
      ...(newRequests.length === shownRequests.length
        ? []
        : [`  ${newRequests.length - shownRequests.length} reads`]),
      ...shownRequests.map(({ method, url, body }) => {
        const { pathname, search } = new URL(url);
        const text =
          body === undefined ? '' : ` ${stringify(omitManaged(maskConnectorDocument(parseLossless(body))))}`;
        return `  ${method} ${decodeURIComponent(pathname)}${search}${text}`;
      }),
    );
    this.#requestCount = requests.length;
    const changes = this.fixture.changes.slice(this.#changeCount);
    this.#changeCount = this.fixture.changes.length;
    this.add(
      ...(changes.length === 0
        ? []
        : [`  outdated: ${changes.map((each) => stringify(JSON.parse(JSON.stringify(each)))).join(' ')}`]),
    );
  }

  /** Skips the requests since the last call. */
  skipRequests(): void {
    this.#requestCount = this.fixture.transport.requests.length;
    this.#changeCount = this.fixture.changes.length;
  }

  async addRun(name: string, run: () => Promise<unknown>): Promise<void> {
    this.skipRequests();
    this.add(`${name}:`);
    const outcome = await runWithoutPauses(this.fixture, () => run().then(describeReport, describeError));
    this.addRequests({ omitsReads: name !== 'run' });
    this.add(...outcome);
  }
}

/** Runs a task that never fails, and skips its pauses; the deadlines of requests are longer. */
async function runWithoutPauses<T>({ sandbox: { clock } }: ChangeFixture, run: () => Promise<T>): Promise<T> {
  const longestPauseMs = 30_000;
  const results: T[] = [];
  void run().then((result) => results.push(result));
  for (;;) {
    const [result] = results;
    if (result !== undefined) {
      return result;
    }
    const pause = clock.nextDelay ?? 0;
    await clock.advance(pause <= longestPauseMs ? pause : 0);
  }
}

function describeReport(report: unknown): readonly string[] {
  const { writeStates, documents } = (report ?? {}) as Partial<StoppedError['report']>;
  return writeStates === undefined
    ? []
    : [
        `  writes: ${describeStates(writeStates)}`,
        ...(documents ?? []).map(
          ({ ref, document }) => `  has <${formatRef(ref)}>${document === undefined ? ' gone' : ''}`,
        ),
      ];
}

const describeError = (error: unknown): readonly string[] => {
  const { name, ref, code, message, cause, changedNothing, report } = error as Partial<StoppedError> & {
    readonly ref?: Parameters<typeof formatRef>[0];
    readonly code?: string;
  };
  return [
    `  ${[name, ref === undefined ? [] : `<${formatRef(ref)}>`, code ?? [], report === undefined ? message : [], changedNothing === true ? 'changed nothing' : []].flat().join(' ')}`,
    ...(cause === undefined ? [] : [`  because ${describeError(cause).join('').trim()}`]),
    ...describeReport(report),
  ];
};

/** Runs an operation whose plan was reviewed. */
async function runReviewed(writer: Writer, operation: Operation, options: RunOptions = {}): Promise<unknown> {
  try {
    return await writer.run(operation, options);
  } catch (error) {
    if (error instanceof PlanNeededError) {
      return writer.run(operation, { ...options, approval: writer.approve(error.planHash) });
    }
    throw error;
  }
}

function setFailure(fixture: ChangeFixture, { at, kind }: Failure): { readonly historyCopy: string } {
  const historyCopy = join(fixture.folder, 'historyCopy');
  let count = 0;
  fixture.getWriteFault = () => {
    if (count++ !== at) {
      return undefined;
    }
    if (kind === 'request' || kind === 'answer') {
      return kind === 'request' ? 'request-lost' : 'response-lost';
    }
    if (kind === 'refusal') {
      return kind;
    }
    cpSync(join(fixture.folder, 'history'), historyCopy, { recursive: true });
    fixture.failsAfterRequest = true;
    return kind === 'killed-before' ? 'request-lost' : 'response-lost';
  };
  return { historyCopy };
}

function describeEntry(entry: HistoryEntry | undefined): string {
  if (entry === undefined) {
    return '  entry: none';
  }
  const {
    end,
    isCanceled,
    writeStates,
    versionsAfter,
    changedIds,
    undoneEntryId,
    denyScopes,
    createdRuleIds,
  } = entry;
  return `  entry: ${[
    end ?? 'unfinished',
    isCanceled === true ? 'canceled' : [],
    describeStates(writeStates),
    undoneEntryId === undefined ? [] : 'undoes',
    `after ${versionsAfter.map(({ ref, hash }) => `<${formatRef(ref)}>${hash.length === 64 ? '' : ` ${hash}`}`).join(' ')}`,
    changedIds.length === 0 ? [] : `ids ${changedIds.map((pair) => pair.join('=>')).join(' ')}`,
    denyScopes.length === 0 ? [] : `denies ${denyScopes.length}`,
    createdRuleIds.length === 0 ? [] : `created ${createdRuleIds.join(' ')}`,
    end === 'stopped' ? `${getRecovery(entry)}${canResume(entry) ? ', can resume' : ''}` : [],
  ]
    .flat()
    .join(', ')}`;
}

const describeReview = ({ laterChanges, nameConflicts }: UndoForReview): readonly string[] => [
  ...laterChanges.map(
    ({ kind, name, within, isGone, fields, rules, canOverwrite, isOverwritten }) =>
      `  later: ${[
        kind,
        [...within, name].join(' / '),
        isGone ? 'gone' : [],
        fields.map(({ field, before = '', after = '' }) => `${field} [${before}] -> [${after}]`),
        rules === undefined
          ? []
          : `rules ${JSON.stringify(rules, (_key, value: unknown) => (value instanceof Set ? [...value] : value))}`,
        canOverwrite ? (isOverwritten ? 'overwritten' : 'kept') : 'stays',
      ]
        .flat()
        .join(', ')}`,
  ),
  ...nameConflicts.map(
    ({ kind, name, newName, isInvalid }) =>
      `  taken: ${kind} ${name} -> ${newName}${isInvalid ? ' invalid' : ''}`,
  ),
];

/** Carries out a scenario, and returns everything that the user and the server see of it, as lines. */
export async function recordScenario(scenario: Scenario): Promise<string> {
  using fixture = new ChangeFixture({ seed: smallSeed });
  const recording = new Recording(fixture);
  const writesOrOperation = await scenario.writes(fixture);
  const operation =
    'writes' in writesOrOperation
      ? writesOrOperation
      : createOperation(writesOrOperation, scenario.cause ?? 'save', 'Subject');
  const before = await readInstanceLines(fixture);
  // The catalog knows what the Connections view shows, as it does when a user starts an operation.
  for (const { datamodelId } of [getModelIds('Shop'), getModelIds('Desk')]) {
    await fixture.catalog.datasets(datamodelId);
  }
  let { writer, history } = fixture.open();
  if (scenario.failure === undefined && scenario.otherUserChange === undefined) {
    recording.add(...(await describePlan((await writer.plan(operation)).plan)));
  }
  fixture.hasEmptyResponse = scenario.hasEmptyResponse ?? (() => false);
  const failure = scenario.failure === undefined ? undefined : setFailure(fixture, scenario.failure);
  const wasKilled = scenario.failure?.kind.startsWith('killed') === true;
  await recording.addRun('run', () =>
    runReviewed(writer, operation, {
      onResponseLost: (index) => recording.add(`  verifies ${index}`),
    }),
  );
  fixture.getWriteFault = () => undefined;
  fixture.failsAllRequests = false;
  fixture.failsAfterRequest = false;
  if (failure !== undefined && wasKilled) {
    rmSync(join(fixture.folder, 'history'), { recursive: true, force: true });
    cpSync(failure.historyCopy, join(fixture.folder, 'history'), { recursive: true });
    // Entries are sorted by time, even those of different windows.
    fixture.sandbox.clock.skip(1);
    ({ writer, history } = await killWindow(fixture, () => true));
  }
  const [entry] = await history.readEntries(connectionId);
  if (scenario.otherUserChange === undefined) {
    recording.add('changes:', ...describeDifference(before, await readInstanceLines(fixture)));
    recording.add(describeEntry(entry));
  } else {
    // The scenario without another user's changes has the same lines up to here, so that they are left out.
    recording.lines.length = 0;
  }
  if (entry !== undefined && scenario.ending !== 'none') {
    await scenario.otherUserChange?.(fixture);
    await endScenario(recording, entry, writer, scenario);
    recording.add('in the end:', ...describeDifference(before, await readInstanceLines(fixture)));
    for (const each of await history.readEntries(connectionId)) {
      recording.add(describeEntry(each));
    }
  }
  return recording.lines.map(replaceIds).join('\n');
}

async function endScenario(
  recording: Recording,
  entry: HistoryEntry,
  writer: Writer,
  { ending = 'undo', otherUserChange, names = new Map() }: Scenario,
): Promise<void> {
  if (ending === 'resume' || ending === 'rollBack' || ending === 'abandon') {
    await recording.addRun(ending, () => writer[ending](entry));
    return;
  }
  const mode = ending.startsWith('restore') ? 'restore' : 'undo';
  const undo =
    otherUserChange === undefined && mode === 'undo' && names.size === 0
      ? await writer.planUndo(entry)
      : await writer.planUndoForReview(entry, mode, { overwrittenIds: new Set(), names });
  let reviewed = undo;
  if ('laterChanges' in undo && ending.endsWith('-overwriting')) {
    const overwrittenIds = new Set((undo as UndoForReview).laterChanges.map(({ id }) => id));
    reviewed = await writer.planUndoForReview(entry, mode, { overwrittenIds, names });
  }
  recording.add(`${mode}:`, ...('laterChanges' in reviewed ? describeReview(reviewed as UndoForReview) : []));
  recording.add(...describeUndo(reviewed));
  const { operation, expectedVersions, restoredIds, undoCountBefore } = reviewed;
  if (operation.writes.length > 0) {
    await recording.addRun(`${mode} runs`, () =>
      runReviewed(writer, operation, {
        expectedVersions,
        restoredIds,
        undoCountBefore,
        undoneEntryId: entry.id,
      }),
    );
  }
}
