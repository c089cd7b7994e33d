import * as vscode from 'vscode';
import { ApiError } from '../../client/errors.ts';
import { delay } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { type Build, type StartBuildRequest, isRunning } from '../../builds/build.ts';
import {
  type BuildSetListener,
  type BuildSetActions,
  type BuildSetResult,
  getBuildSetExitCode,
  runBuildSet,
} from '../../builds/buildSet.ts';
import {
  type BuildTaskDefinition,
  findConnectionByName,
  type TaskProblem,
} from '../../builds/buildTaskDefinition.ts';
import { getDatamodelType } from '../../contract/datamodel.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { describeBuildFailure, describePhase } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';
import { describeHeldBuild, describeMissingRelations } from './heldBuilds.ts';
import { formatSuggestion, describeTaskProblem } from './describeTaskProblem.ts';
import { getBuildTypeLabel } from '../../platform/buildTexts.ts';

/** These lines are never translated: the problem matcher in package.json matches them. */
const beginMarker = 'datamodel-build: begin';
const endMarker = 'datamodel-build: end';

/**
 * A terminal that fails within this time is reported by VS Code as one that could not be launched, without the reason.
 */
const minLifetimeMs = 1000;

/** The terminal of a build task. Its exit code reports the result; terminating the task cancels its builds. */
export class BuildTerminal implements vscode.Pseudoterminal {
  readonly #deps: BuildsDeps;
  readonly #definition: BuildTaskDefinition | readonly TaskProblem[];
  readonly #store = new DisposableStore();
  readonly #onDidWrite = this.#store.add(new vscode.EventEmitter<string>());
  readonly onDidWrite = this.#onDidWrite.event;
  readonly #onDidClose = this.#store.add(new vscode.EventEmitter<number>());
  readonly onDidClose = this.#onDidClose.event;
  readonly #abortController = new AbortController();

  /** @param definition the task definition, or its problems if it is invalid */
  constructor(deps: BuildsDeps, definition: BuildTaskDefinition | readonly TaskProblem[]) {
    this.#deps = deps;
    this.#definition = definition;
  }

  open(): void {
    void this.#run();
  }

  close(): void {
    this.#abortController.abort();
  }

  handleInput(data: string): void {
    // Ctrl+C.
    if (data === '\u0003') {
      this.#abortController.abort();
    }
  }

  async #run(): Promise<void> {
    const startedAt = this.#deps.clock.now();
    this.#writeLine(beginMarker);
    let exitCode = 1;
    try {
      exitCode = await this.#build();
    } catch (error) {
      this.#deps.log.warn('builds', 'A build task failed', { reason: String(error) });
      this.#writeLine(getUserMessage(error));
    }
    this.#writeLine(`${endMarker} (${exitCode})`);
    const elapsedMs = this.#deps.clock.now() - startedAt;
    if (exitCode !== 0 && elapsedMs < minLifetimeMs) {
      await delay(this.#deps.clock, minLifetimeMs - elapsedMs);
    }
    this.#onDidClose.fire(exitCode);
    this.#store.dispose();
  }

  async #build(): Promise<number> {
    const definition = this.#definition;
    if (!('connection' in definition)) {
      definition.forEach((problem) => this.#writeLine(describeTaskProblem(problem)));
      this.#writeLine(vscode.l10n.t('Nothing was built. Fix the task in tasks.json.'));
      return 1;
    }
    const { connection: name } = definition;
    const { all: connections } = this.#deps.connections;
    const connection = findConnectionByName(connections, name);
    if (connection === 'ambiguous') {
      this.#writeLine(vscode.l10n.t('More than one connection is named {0}. Rename one of them.', name));
      return 1;
    }
    if (connection === 'unknown') {
      const names = connections.map((candidate) => candidate.name);
      const advice = formatSuggestion(name, names) ?? vscode.l10n.t('Add the connection first.');
      this.#writeLine(`${vscode.l10n.t('Connection not found: {0}.', name)} ${advice}`);
      return 1;
    }
    if (!(await ensureWritable(this.#deps, connection.id))) {
      this.#writeLine(
        vscode.l10n.t(
          "Nothing was built: {0} doesn't allow writes. Unlock the connection or change its role, and then run the task again.",
          connection.name,
        ),
      );
      return 1;
    }
    const requests = await this.#createRequests(connection.id, definition);
    if (requests === undefined || !(await this.#checkHeldBuilds(requests))) {
      return 1;
    }
    const { atOnce, stopAtFirstFailure } = definition;
    await this.#deps.buildMonitor.loadBuildWatch();
    const plan = { requests, maxConcurrentBuilds: atOnce, stopAtFirstFailure };
    const results = await runBuildSet(
      plan,
      this.#createHost(),
      this.#createListener(),
      this.#abortController.signal,
    );
    return getBuildSetExitCode(results);
  }

  /** Creates the build requests; `undefined` if any datamodel does not exist, in which case nothing is built. */
  async #createRequests(
    connectionId: string,
    { datamodels, buildType, schemaOrigin, rowLimit }: BuildTaskDefinition,
  ): Promise<readonly StartBuildRequest[] | undefined> {
    const { catalog } = await this.#deps.sessions.get(connectionId);
    // A task may run long after the list was cached: datamodels may have been created or replaced since.
    await catalog.revalidate();
    const availableDatamodels = (await catalog.partial.datamodels()).value;
    const matches = datamodels.map((name) =>
      availableDatamodels.find(({ oid, title }) => title === name || oid === name),
    );
    const missingNames = datamodels.filter((_, index) => matches[index] === undefined);
    if (missingNames.length > 0) {
      const titles = availableDatamodels.map(({ title }) => title);
      for (const name of missingNames) {
        const text = vscode.l10n.t('Datamodel not found: {0}.', name);
        this.#writeLine([text, formatSuggestion(name, titles) ?? ''].join(' ').trim());
      }
      this.#writeLine(vscode.l10n.t('Nothing was built.'));
      return undefined;
    }
    return matches.flatMap((datamodel) => {
      if (datamodel === undefined) {
        return [];
      }
      const target = { connectionId, datamodelId: datamodel.oid, datamodelTitle: datamodel.title };
      const origin = schemaOrigin === undefined ? {} : { schemaOrigin };
      // A live datamodel can only be published, an extract one never (rest-api.md, "POST /builds body"). Publishing
      // imports no rows, so it takes no limit.
      return getDatamodelType(datamodel) === 'live'
        ? { ...target, ...origin, buildType: 'publish' }
        : {
            ...target,
            ...origin,
            buildType: buildType ?? 'full',
            ...(rowLimit === undefined ? {} : { rowLimit }),
          };
    });
  }

  /**
   * Returns false if an unfinished change must end before one of the builds, so that nothing is built. Relations that are
   * missing since a change was abandoned are only named: no one can be asked.
   */
  async #checkHeldBuilds(requests: readonly StartBuildRequest[]): Promise<boolean> {
    const reasons = await Promise.all(
      requests.map(({ datamodelTitle: title, ...request }) =>
        describeHeldBuild(this.#deps, { ...request, title }),
      ),
    );
    const held = reasons.filter((reason) => reason !== undefined);
    held.forEach((reason) => this.#writeLine(reason));
    if (held.length > 0) {
      this.#writeLine(vscode.l10n.t('Nothing was built.'));
      return false;
    }
    for (const { datamodelTitle: title, ...request } of requests) {
      const missing = await describeMissingRelations(this.#deps, { ...request, title });
      if (missing !== undefined) {
        this.#writeLine(missing);
      }
    }
    return true;
  }

  #createHost(): BuildSetActions {
    const { buildMonitor } = this.#deps;
    return {
      start: (request) => buildMonitor.start(request),
      mayHaveStarted: (error) => error instanceof ApiError && error.mayHaveTakenEffect,
      cancel: (build) => buildMonitor.cancel(build),
      waitForEnd: (build) =>
        new Promise((resolve) => {
          const checkBuild = (): void => {
            const current = buildMonitor.find(build.connectionId, build.oid);
            if (current === undefined || !isRunning(current)) {
              this.#store.delete(subscription);
              resolve(current ?? { ...build, phase: 'gone' });
            }
          };
          const subscription = this.#store.add(buildMonitor.onDidChange(checkBuild));
          checkBuild();
        }),
    };
  }

  #createListener(): BuildSetListener {
    return {
      onStarted: ({ datamodelTitle, buildType }) =>
        this.#writeLine(vscode.l10n.t('{0}: started ({1})', datamodelTitle, getBuildTypeLabel(buildType))),
      onResult: (result) => this.#writeLine(this.#formatResult(result)),
      onCancelFailed: (build: Build, error) =>
        this.#writeLine(
          vscode.l10n.t("{0}: can't cancel. {1}", build.datamodelTitle ?? '', getUserMessage(error)),
        ),
    };
  }

  #formatResult({ request, outcome, build, error }: BuildSetResult): string {
    const title = request.datamodelTitle;
    if (outcome === 'refused') {
      return vscode.l10n.t('{0}: rejected. {1}', title, getUserMessage(error));
    }
    if (outcome === 'unanswered') {
      return vscode.l10n.t('{0}: might have been accepted. {1}', title, getUserMessage(error));
    }
    if (outcome === 'skipped' || build === undefined) {
      return vscode.l10n.t('{0}: not started', title);
    }
    return outcome === 'failed'
      ? vscode.l10n.t('{0}: failed: {1}', title, describeBuildFailure(build))
      : vscode.l10n.t('{0}: {1}', title, describePhase(build, this.#deps.clock.now()));
  }

  /** Replaces control characters, so that text from the server cannot control the terminal. */
  #writeLine(text: string): void {
    this.#onDidWrite.fire(`${text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')}\r\n`);
  }
}
