import { runApproved } from '../../changes/bulkRules/runChange.ts';
import type { InterruptedChangeError } from '../../changes/journal/requireFinished.ts';
import { readStoppedDocuments } from '../../changes/journal/stoppedDocuments.ts';
import { listContentNames } from '../../changes/journal/writtenDocuments.ts';
import { PlanNeededError } from '../../changes/run/writeErrors.ts';
import { joinNames } from '../../base/joinNames.ts';
import { english } from '../../base/localize.ts';
import { describeMatch, describeNeededBuilds } from '../../project/messages/planTexts.ts';
import { type RecordedState, findOpenItems, computeRecordedState } from '../../project/apply/finishApply.ts';
import { updateAppliedLock } from '../appliedLockFile.ts';
import {
  getResultExitCode,
  warnOfOtherRuleChanges,
  reportStoppedChange,
  toResultOutput,
} from '../changeResult.ts';
import { requireUnchangedPlan, checkPlanTarget } from '../checkPlanFile.ts';
import { closeAfterGracePeriod } from '../closeAfterGracePeriod.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { repeatOption } from '../commandHint.ts';
import { getExecuteHint, requireWritable } from '../confirmWrite.ts';
import { formatCliError } from '../errorMessages.ts';
import { warnBeforeBuild } from '../finishedApply.ts';
import { type ExitCode, CommandRefusedError, exitCodes } from '../exitCodes.ts';
import { readIgnoredCodes } from '../ignoredErrors.ts';
import { type ChangeServices, type Instance, openInstance } from '../instance.ts';
import {
  findInterruptedChange,
  requireNoInterruptedChange,
  toInterruptedNote,
} from '../interruptedChange.ts';
import { formatItem } from '../itemLabels.ts';
import type { ResultOutput } from '../outputParts.ts';
import { findMissingRelations } from '../missingRelations.ts';
import { describeNeededVariables } from '../neededVariables.ts';
import { type PlanFile, readPlanFile } from '../planFile.ts';
import { printPlan } from '../planText.ts';
import { warnOfOutdatedLock } from '../outdatedLock.ts';
import { type PlanOutput, createPlanOutput, getUncomparedParts } from '../planOutput.ts';
import {
  describeUncompared,
  formatAddedParts,
  formatFirstItems,
  formatItems,
  formatReasons,
  formatStillDifferent,
  formatUnreadable,
} from '../remainingItems.ts';
import { readLimits } from '../selectionLimits.ts';
import { describeOutputPart, formatUnmanaged } from '../unmanagedOutput.ts';
import { runReserved } from '../runReserved.ts';
import { createUnseenChangesError } from '../unseenChanges.ts';
import { type LoadedPlan, type PlanEffects, loadPlan, loadPlanEffects } from '../projectPlan.ts';
import { readChangeTarget, requireSingleLockFile } from '../projectTarget.ts';
import { getPrunedInstanceKinds, readPrunedInstanceKinds } from '../prunedKinds.ts';
import { refuseBlockingErrors } from '../refuseBlockingErrors.ts';
import { createRunControl } from '../runControl.ts';
import { getStateFolder } from '../target.ts';
import { getPlanExitCode } from './plan.ts';

/** The options of `plan` that a plan file contains. */
const comparisonOptionNames = ['prune', 'datamodel', 'viewpoint', 'ignore-errors'];

/** Shows which changes would make an instance match a project, and makes them with `--execute`. */
export const apply: RunCommand = async (context) => {
  const { args, shell, clock, signal } = context;
  const [path] = args.positionals;
  const conflictingName = comparisonOptionNames.find((name) => args.has(name));
  if (path !== undefined && conflictingName !== undefined) {
    throw new CommandRefusedError(
      `The plan file already specifies what is compared, deleted, and ignored. Remove --${conflictingName}.`,
    );
  }
  const file = path === undefined ? undefined : await readPlanFile(path);
  const target = await readChangeTarget(context);
  if (args.has('execute')) {
    await requireSingleLockFile(target, args);
    requireWritable({ ...target.instance, ...target.instance.connection }, args);
  }
  const instance = openInstance(target.instance, shell, clock);
  const gracePeriod = closeAfterGracePeriod(instance, signal, clock);
  try {
    const options =
      file === undefined
        ? {
            limits: readLimits(args),
            prunedKinds: readPrunedInstanceKinds(args.getValue('prune')),
            ignoredCodes: readIgnoredCodes(args.getValue('ignore-errors')),
          }
        : {
            limits: file.limits,
            prunedKinds: getPrunedInstanceKinds(file.prune),
            ignoredCodes: new Set(file.ignoreErrors),
          };
    const loaded = await loadPlan(target, { instance, context, options, isSent: args.has('execute') });
    refuseBlockingErrors(loaded, args, options.ignoredCodes);
    checkPlanTarget(file, target);
    const changes = await instance.openChangeServices(getStateFolder({ args, shell }));
    const effects = await loadPlanEffects(loaded, changes, signal);
    requireUnchangedPlan(file, loaded, effects);
    const interrupted = await findInterruptedChange(changes.history, target.instance);
    const missing = await findMissingRelations(changes.history, loaded);
    const deps = { context, instance, changes, loaded, effects, interrupted, missing, file };
    return await new ApplyRun(deps).run();
  } finally {
    gracePeriod.dispose();
    instance.dispose();
  }
};

interface ApplyRunDeps {
  readonly context: CommandContext;
  readonly instance: Instance;
  readonly changes: ChangeServices;
  readonly loaded: LoadedPlan;
  readonly effects: PlanEffects | undefined;
  readonly interrupted: InterruptedChangeError | undefined;
  readonly missing: Pick<PlanOutput, 'missingRelations'>;
  readonly file: PlanFile | undefined;
}

/** One run of the command, after the project and the instance were read. */
class ApplyRun {
  readonly #deps: ApplyRunDeps;
  readonly #planOutput: PlanOutput;
  /** True if changes are left for a later apply. */
  #needsAnotherApply = false;
  #isLockOutdated = false;

  constructor(deps: ApplyRunDeps) {
    this.#deps = deps;
    this.#planOutput = {
      ...createPlanOutput(deps.loaded, deps.effects, deps.interrupted),
      ...toInterruptedNote(deps.interrupted),
      ...deps.missing,
    };
  }

  async run(): Promise<ExitCode> {
    const { args, output } = this.#deps.context;
    const isJson = args.getValue('format') === 'json';
    if (!isJson) {
      printPlan(this.#planOutput, output);
    }
    const result = await this.#runIfAllowed();
    if (isJson) {
      output.printJson({
        ...this.#planOutput,
        command: 'apply',
        ...(result === undefined ? {} : { result }),
      });
    }
    const exitCode = this.#getExitCode(result);
    return this.#isLockOutdated && exitCode !== exitCodes.unknown ? exitCodes.failed : exitCode;
  }

  #getExitCode(result: ResultOutput | undefined): ExitCode {
    if (result !== undefined) {
      return this.#needsAnotherApply ? exitCodes.differs : getResultExitCode(result);
    }
    return this.#planOutput.state === 'differs' && !this.#deps.context.args.has('execute')
      ? exitCodes.done
      : getPlanExitCode(this.#planOutput);
  }

  /** @returns `undefined` if there was nothing to write */
  async #runIfAllowed(): Promise<ResultOutput | undefined> {
    const { context, changes, loaded, effects } = this.#deps;
    const { args, output } = context;
    const { state } = this.#planOutput;
    if (state === 'unknown' || state === 'refused') {
      output.printMessage(formatRefusal(this.#planOutput), 'error');
      return undefined;
    }
    const { history } = changes;
    if (!args.has('execute')) {
      if (effects === undefined) {
        await warnOfOutdatedLock(history, loaded.target, context);
        this.#warnOfDeferral();
      } else {
        const { instance } = loaded.target;
        const hint = getExecuteHint({ ...instance, ...instance.connection }, 'write');
        output.printMessage(`Nothing was written. ${hint}`);
      }
      return undefined;
    }
    return runReserved(loaded.operation.connectionId, { history, output }, async () => {
      // Checked first, since the writes of an interrupted apply would look like changes by other users.
      await requireNoInterruptedChange(history, loaded.target.instance, args);
      if (effects === undefined) {
        // An earlier run may have applied everything and lost its lock file, as in a pipeline that couldn't push it.
        await this.#updateLock(loaded, computeRecordedState(loaded, { appliedPlan: loaded }));
        this.#warnOfDeferral();
        return undefined;
      }
      this.#checkServerChanges();
      return this.#execute(effects);
    });
  }

  #warnOfDeferral(): void {
    if (this.#planOutput.deferred.length > 0) {
      this.#deps.context.output.printMessage(describeDeferral(this.#planOutput), 'warning');
    }
  }

  /** @throws CommandRefusedError if changes by other users would be overwritten without a plan file that shows them */
  #checkServerChanges(): void {
    const { context, file, loaded } = this.#deps;
    const { args } = context;
    const changed = this.#planOutput.changes.filter(({ changedOnServer }) => changedOnServer);
    if (file === undefined && changed.length > 0) {
      throw createUnseenChangesError(changed, {
        args,
        environmentName: loaded.target.environmentName,
        limits: comparisonOptionNames.flatMap((name) => repeatOption(name, args)),
      });
    }
  }

  async #execute({ planHash }: PlanEffects): Promise<ResultOutput> {
    const { context, instance, changes, loaded } = this.#deps;
    const { clock, output, signal } = context;
    const { target, operation, options } = loaded;
    instance.unlock();
    // The document versions in the plan hash were read after the instance was compared: nothing may have changed in
    // between.
    const { hash } = await loadPlan(target, { instance, context, options, isSent: false });
    if (hash !== loaded.hash) {
      throw createOutdatedPlanError();
    }
    const deps = { writer: changes.writer, clock };
    const run = await runApproved(
      deps,
      { operation, planHash },
      {
        ...createRunControl(context),
        // Printed immediately: a killed process can't print anything more.
        onBegin: (journal) => output.printMessage(`Journal: ${journal}`),
      },
    ).catch((error: unknown) => {
      throw error instanceof PlanNeededError ? createOutdatedPlanError() : error;
    });
    const result = toResultOutput(run, signal);
    if (run.stopError !== undefined) {
      const names = loaded.reading.documents.datamodels.flatMap(({ document }) => listContentNames(document));
      const { connectionId } = operation;
      await reportStoppedChange(result, run.stopError, context, {
        ...(await readStoppedDocuments(changes.history, { ...run.report, connectionId }, new Map(names))),
        usesProject: true,
        confirmation: context.args.getValue('confirm'),
        canRecover: (ending) => changes.writer.canRecover({ id: run.report.entryId, operation }, ending),
        neededVariables: await describeNeededVariables(
          { operation, writeStates: run.report.writeStates },
          { env: context.shell.env, address: target.instance.connection.url },
        ),
      });
      return result;
    }
    warnOfOtherRuleChanges(run, context);
    const verified = await this.#verify(result);
    this.#planOutput.access.untilBuild?.forEach((text) =>
      output.printMessage(`Until the next build, more data might be visible: ${text}`, 'warning'),
    );
    return verified;
  }

  async #updateLock(after: LoadedPlan, recorded: RecordedState): Promise<void> {
    this.#isLockOutdated = !(await updateAppliedLock(after, recorded, this.#deps.context));
  }

  /**
   * Reads the instance again: the changes are done only if nothing differs anymore. That is unknown if a part of the
   * instance can't be read anymore.
   */
  async #verify(result: ResultOutput): Promise<ResultOutput> {
    const { context, instance, loaded } = this.#deps;
    const { output } = context;
    try {
      // Not interruptible: the changes are already made, so their result must be reported.
      const after = await loadPlan(loaded.target, {
        instance,
        context: { ...context, signal: new AbortController().signal },
        options: loaded.options,
        mayMatchNothing: true,
        isSent: false,
      });
      const recorded = computeRecordedState(after, { appliedPlan: loaded });
      await this.#updateLock(after, recorded);
      const { waiting, unexpected: others, remaining, ...nextSteps } = findOpenItems(loaded, after, recorded);
      if (others.length > 0) {
        const problem = `All writes succeeded, but the instance still differs from the project: ${formatFirstItems(others)}.`;
        output.printMessage(problem, 'warning');
        return { ...result, state: 'differs', problem };
      }
      const uncompared = getUncomparedParts(after);
      if (uncompared.length > 0) {
        const problem = describeUncompared(uncompared);
        output.printMessage(problem, 'warning');
        if (waiting.length > 0) {
          output.printMessage(describeWaitingItems(waiting, this.#planOutput, { isDone: false }), 'warning');
        }
        warnBeforeBuild(nextSteps, output);
        return { ...result, state: 'unknown', problem };
      }
      this.#needsAnotherApply = waiting.length > 0;
      const unmanaged = formatUnmanaged(this.#planOutput);
      unmanaged.forEach((line) => output.printMessage(line, 'warning'));
      output.printMessage(
        this.#needsAnotherApply
          ? describeWaitingItems(waiting, this.#planOutput, { isDone: true })
          : `Done. ${describeMatch(english, remaining, describeOutputPart(this.#planOutput))}`,
        this.#needsAnotherApply || remaining.itemCount + unmanaged.length > 0 ? 'warning' : 'success',
      );
      [...formatStillDifferent(recorded.comparison), ...formatAddedParts(recorded.comparison)].forEach(
        (line) => output.printMessage(line, 'warning'),
      );
      warnBeforeBuild(nextSteps, output);
      return result;
    } catch (error) {
      const problem = `All writes succeeded, but the instance couldn't be read afterward. ${formatCliError(error)}`;
      output.printMessage(problem, 'warning');
      return { ...result, state: 'unknown', problem };
    }
  }
}

/** The maximum number of viewpoints to name. */
const maxViewpoints = 5;

/** Describes what must be done before an apply that can't write anything yet. */
function describeDeferral({ deferred, neededBuilds = [] }: PlanOutput): string {
  if (neededBuilds.length > 0) {
    return `Nothing can be written before the next build. ${describeNeededBuilds(english, neededBuilds)}`;
  }
  // Without a build, only viewpoints wait: for rules that the limits leave out.
  const names = joinNames(
    deferred.map(({ item }) => formatItem(item)),
    english,
    maxViewpoints,
  );
  return deferred.length === 1
    ? `The rules that ${names} needs must be written first. Apply its datamodel first, or together with the viewpoint.`
    : `The rules that ${names} need must be written first. Apply their datamodels first, or together with the viewpoints.`;
}

/** Describes what another apply has to finish: what the plan lists, and what was found only after the apply. */
function describeWaitingItems(
  waiting: readonly string[],
  { deferred }: PlanOutput,
  { isDone }: { readonly isDone: boolean },
): string {
  const deferredItems = new Set(deferred.map(({ item }) => item));
  const others = waiting.filter((item) => !deferredItems.has(item));
  const count = waiting.length - others.length;
  const deferral = `${count === 1 ? '1 item needs' : `${count} items need`} another apply: see "Not in this apply".`;
  return [
    ...(count > 0 ? [isDone ? `Done, but ${deferral}` : deferral] : isDone ? ['Done.'] : []),
    ...(others.length === 0
      ? []
      : [`Apply again to change columns that SQL has just created: ${formatItems(others)}.`]),
  ].join(' ');
}

/** Formats the reason why a plan isn't applied, since a log of the messages doesn't contain the plan. */
function formatRefusal({ unknown, problems }: PlanOutput): string {
  const reasons = [
    ...unknown.map(formatUnreadable),
    ...problems.map(({ item, text }) => `Can't apply ${formatItem(item)}: ${text}`),
  ];
  return `Nothing was written. ${formatReasons(reasons)}`;
}

const createOutdatedPlanError = (): CommandRefusedError =>
  new CommandRefusedError(
    'The instance or the project was changed in the meantime. Nothing was written. Run the command again.',
  );
