import { readFile, rm, stat } from 'node:fs/promises';
import { getErrorCode } from '../../base/fileErrors.ts';
import { stringify } from '../../base/json.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { formatAnnotation, getPlanAnnotations } from '../githubAnnotations.ts';
import { readIgnoredCodes } from '../ignoredErrors.ts';
import { convertOutErrors, refuseProjectFile, writeOutFile } from '../outFile.ts';
import { isPlan } from '../planFile.ts';
import { formatPlanMarkdown } from '../planMarkdown.ts';
import { printPlan, printPlanSummary } from '../planText.ts';
import { loadPlanOutput } from '../loadPlanOutput.ts';
import type { PlanOutput } from '../planOutput.ts';
import { readChangeTarget } from '../projectTarget.ts';
import { readLimits } from '../selectionLimits.ts';
import { readPrunedInstanceKinds } from '../prunedKinds.ts';

/** Shows which changes would make an instance match a project. Writes nothing to the instance. */
export const plan: RunCommand = async (context) => {
  const { args } = context;
  const path = args.getValue('out');
  if (path !== undefined) {
    await refuseProjectFile(path);
    await removeOldPlan(path);
  }
  const options = {
    limits: readLimits(args),
    prunedKinds: readPrunedInstanceKinds(args.getValue('prune')),
    ignoredCodes: readIgnoredCodes(args.getValue('ignore-errors')),
  };
  const target = await readChangeTarget(context);
  const planOutput = await loadPlanOutput(target, { context, options });
  if (path !== undefined) {
    await writeOutFile(path, `${stringify(planOutput, 2)}\n`);
    context.output.printMessage(describeSavedPlan(path, planOutput));
  }
  printFormatted(planOutput, context);
  return getPlanExitCode(planOutput);
};

/**
 * Says that `--out` is a plan file for `apply`, not a report in the format that the name of the file may promise, or that
 * the plan can't be applied.
 */
const describeSavedPlan = (path: string, { state }: PlanOutput): string =>
  state === 'refused' || state === 'unknown'
    ? `Saved the plan, but it can't be applied: ${path}`
    : /\.json$/i.test(path)
      ? `Saved the plan for apply: ${path}`
      : `Saved the plan for apply, as JSON: ${path}. For a report in Markdown, use --format markdown, and redirect standard output to a file.`;

/** Scripts depend on these codes, so they never change (decisions.md, "Command line"). */
export const getPlanExitCode = ({ state }: PlanOutput): ExitCode =>
  ({
    same: exitCodes.done,
    differs: exitCodes.differs,
    unknown: exitCodes.unknown,
    refused: exitCodes.refused,
  })[state];

function printFormatted(planOutput: PlanOutput, { args, output }: CommandContext): void {
  switch (args.getValue('format') ?? 'text') {
    case 'json':
      output.printJson(planOutput);
      break;
    case 'markdown':
      output.printReport(formatPlanMarkdown(planOutput));
      break;
    case 'github':
      getPlanAnnotations(planOutput).forEach((annotation) =>
        output.printWorkflowCommand(formatAnnotation(annotation)),
      );
      break;
    default:
      printPlan(planOutput, output);
      return;
  }
  printPlanSummary(planOutput, output);
}

/**
 * Removes the plan of an earlier run, so that it isn't mistaken for the result of this run if this run is refused. A
 * file that isn't a plan is not removed here.
 * @throws CommandRefusedError if the file can't be read or removed
 */
const removeOldPlan = (path: string): Promise<void> =>
  convertOutErrors(async () => {
    // A device such as /dev/stdout can't be read.
    if ((await isFile(path)) && isPlan(await readFile(path, 'utf8'))) {
      await rm(path);
    }
  });

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') {
      return false;
    }
    throw error;
  }
}
