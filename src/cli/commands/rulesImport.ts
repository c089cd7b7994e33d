import { silentLog } from '../../base/log.ts';
import { lazy } from '../../base/lazy.ts';
import { ApiError } from '../../client/errors.ts';
import {
  isBlocked,
  createPreview,
  type Preview,
  type PreviewRequest,
} from '../../changes/bulkRules/preview.ts';
import { readStoppedDocuments } from '../../changes/journal/stoppedDocuments.ts';
import { computePreviewAccess } from '../../changes/bulkRules/previewAccess.ts';
import type { RuleSource } from '../../changes/bulkRules/ruleSource.ts';
import { applyChange } from '../../changes/bulkRules/runChange.ts';
import { createUserDirectory } from '../../connections/createUserDirectory.ts';
import { createMemberships } from '../../connections/createMemberships.ts';
import { readUsersAndGroups } from '../../connections/readUsersAndGroups.ts';
import type { Session } from '../../connections/sessions.ts';
import type { ImportMode } from '../../security/change/ruleDifference.ts';
import {
  getResultExitCode,
  toResultOutput,
  warnOfOtherRuleChanges,
  reportStoppedChange,
} from '../changeResult.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { getExecuteHint, requireWritable } from '../confirmWrite.ts';
import { formatCliError } from '../errorMessages.ts';
import { exitCodes, CommandRefusedError } from '../exitCodes.ts';
import { closeAfterGracePeriod } from '../closeAfterGracePeriod.ts';
import { importModeOptions, type ImportModeOption } from '../importModes.ts';
import {
  createImportOutput,
  describeRuleDifferences,
  hasWrites,
  printChanges,
  reportPreview,
} from '../importOutput.ts';
import { type ChangeServices, openInstance } from '../instance.ts';
import { findInterruptedRuleChange, getAllRecoveryHints } from '../interruptedChange.ts';
import type { ResultOutput } from '../outputParts.ts';
import { loadRuleFile } from '../loadRuleFile.ts';
import { readOptionalProjectTarget } from '../projectTarget.ts';
import { requireRuleSubjectByTitle } from '../ruleSubjects.ts';
import { createRunControl } from '../runControl.ts';
import { getStateFolder } from '../target.ts';
import { runReserved } from '../runReserved.ts';

const importModes: Readonly<Record<ImportModeOption, ImportMode>> = {
  'replace-columns': 'columns',
  'replace-all': 'all',
  add: 'add',
};

/** The maximum size of the body of one request; the same as the editor's default. */
const maxBytes = 256 * 1024;

/** Shows which rules a table of rules would change, and changes them with `--execute`. */
export const rulesImport: RunCommand = async (context) => {
  const { args, shell, output, clock, signal } = context;
  const mode = importModeOptions.find((importMode) => importMode === args.getValue('mode')) ?? 'add';
  const isJson = args.getValue('format') === 'json';
  const source = await loadRuleFile(args.positionals[0] ?? '', mode);
  const { instance: target } = await readOptionalProjectTarget({ args, shell });
  if (args.has('execute')) {
    requireWritable({ ...target, ...target.connection }, args);
  }
  const instance = openInstance(target, shell, clock);
  const gracePeriod = closeAfterGracePeriod(instance, signal, clock);
  try {
    const session = await instance.getSession();
    const subject = await requireRuleSubjectByTitle(session, args.getValue('datamodel') ?? '');
    const requestedChange: PreviewRequest<RuleSource> = {
      target: { connectionId: target.connection.id, subject },
      source,
      choices: { mode: importModes[mode], columns: {}, rewritesExclusions: false },
      maxBytes,
    };
    const { client, catalog } = session;
    const getDirectory = lazy(async () =>
      createUserDirectory(await readUsersAndGroups(client, silentLog, signal), catalog.knownResources),
    );
    const preview = await createPreview({ client, catalog, getDirectory }, requestedChange, {
      onLookUp: () => undefined,
      signal,
    });
    const access = await computePreviewAccess(preview, async () => createMemberships(await getDirectory()));
    const plannedOutput = createImportOutput(preview, { target, mode, access, result: undefined });
    if (!isJson) {
      printChanges(plannedOutput, output);
    }
    reportPreview(plannedOutput, output);
    const changes = await instance.openChangeServices(getStateFolder({ args, shell }));
    const { connectionId } = preview.target;
    const interrupted = await findInterruptedRuleChange(changes.history, connectionId, subject);
    let result: ResultOutput | undefined;
    if (isBlocked(preview)) {
      output.printMessage('Nothing was written. Fix the errors first.');
    } else if (!hasWrites(preview)) {
      output.printMessage('Nothing to change.');
    } else if (args.has('execute')) {
      // No apply may change the same rules at the same time.
      result = await runReserved(connectionId, { history: changes.history, output }, async () => {
        const entry = await findInterruptedRuleChange(changes.history, connectionId, subject);
        if (entry !== undefined) {
          throw new CommandRefusedError(
            interruptedText,
            undefined,
            getAllRecoveryHints(entry, { target, args, usesProject: false }),
          );
        }
        instance.unlock();
        return execute({ changes, session, requestedChange, preview }, context);
      });
    } else {
      // Planning throws the errors that the command would throw with `--execute`.
      await changes.writer.plan(preview.operation, signal);
      const hint = getExecuteHint({ ...target, ...target.connection }, 'write');
      output.printMessage(`Nothing was written. ${hint}`);
    }
    if (interrupted !== undefined) {
      output.printMessage(`Warning: ${interruptedText}`);
      getAllRecoveryHints(interrupted, { target, args, usesProject: false }).forEach((hint) =>
        output.printMessage(hint),
      );
    }
    if (isJson) {
      output.printJson(createImportOutput(preview, { target, mode, access, result }));
    }
    if (result !== undefined) {
      return getResultExitCode(result);
    }
    return isBlocked(preview) ? exitCodes.refused : exitCodes.done;
  } finally {
    gracePeriod.dispose();
    instance.dispose();
  }
};

const interruptedText = 'An earlier change to these rules was interrupted. Finish it or roll it back first.';

/** Applies the change, and checks that the server then has the rules of the file. */
async function execute(
  {
    changes: { history, writer },
    session,
    requestedChange,
    preview,
  }: {
    readonly changes: ChangeServices;
    readonly session: Session;
    readonly requestedChange: PreviewRequest<RuleSource>;
    readonly preview: Preview;
  },
  context: CommandContext,
): Promise<ResultOutput> {
  const { clock, output, signal } = context;
  const run = await applyChange({ writer, clock }, preview, {
    ...createRunControl(context),
    // Printed immediately: a killed process can't print anything more.
    onBegin: (journal) => output.printMessage(`Journal: ${journal}`),
  });
  if (run.stopError !== undefined) {
    const result = toResultOutput(run, signal);
    const { connectionId } = preview.operation;
    await reportStoppedChange(result, run.stopError, context, {
      ...(await readStoppedDocuments(history, { ...run.report, connectionId })),
      usesProject: false,
      confirmation: context.args.getValue('confirm'),
      canRecover: (ending) =>
        writer.canRecover({ id: run.report.entryId, operation: preview.operation }, ending),
    });
    return result;
  }
  warnOfOtherRuleChanges(run, context);
  const doneResult = toResultOutput(run, signal);
  try {
    // Not interruptible: the change is already made, so its result must be reported.
    const { difference } = await createPreview(session, requestedChange, {
      onLookUp: () => undefined,
      signal: new AbortController().signal,
    });
    const differences = describeRuleDifferences(difference);
    output.printMessage(differences ?? 'Done. The rules on the server match the file.');
    return differences === undefined ? doneResult : { ...doneResult, state: 'differs' };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    const problem = `All writes succeeded, but the rules couldn't be read afterward. ${formatCliError(error)}`;
    output.printMessage(problem);
    return { ...doneResult, state: 'unknown', problem };
  }
}
