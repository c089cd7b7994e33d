import { resolve } from 'node:path';
import type * as z from 'zod';
import type { Finding, FindingSeverity } from '../../project/validate/finding.ts';
import { validateProject } from '../../project/validate/validateProject.ts';
import { listChangedFiles } from '../changedFiles.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { exitCodes } from '../exitCodes.ts';
import { requireProject } from '../requireProject.ts';
import { formatFinding, formatFindingsJUnit, formatFindingAnnotation } from '../findings/formatFindings.ts';
import { createSarifLog } from '../findings/formatSarif.ts';
import { locateFindings } from '../findings/locateFindings.ts';
import { outputVersion } from '../outputParts.ts';
import type { validateOutputSchema } from '../outputSchemas.ts';

/** Checks the files of a project without an instance. */
export const validate: RunCommand = async (context) => {
  const { args, output, signal } = context;
  const folder = resolve(args.getValue('project') ?? '.');
  const findings = await validateFiles(folder, context);
  signal.throwIfAborted();
  printFindings(findings, folder, context);
  const { error, warning, information } = countFindings(findings);
  const hasErrors = error > 0;
  output.printMessage(
    `Errors: ${error}, warnings: ${warning}, information: ${information}.`,
    hasErrors ? 'error' : 'success',
  );
  return hasErrors ? exitCodes.failed : exitCodes.done;
};

/** @throws CommandRefusedError if the folder is no project, or can't be read, or Git can't list what has changed */
async function validateFiles(
  folder: string,
  { args, output, shell, signal }: CommandContext,
): Promise<readonly Finding[]> {
  await requireProject(folder);
  const ref = args.getValue('changed-since');
  if (ref === undefined) {
    return validateProject(folder);
  }
  const changedPaths = await listChangedFiles(ref, { folder, shell, signal });
  output.printMessage('Only changed files and files that depend on them are reported.');
  return validateProject(folder, { changedPaths });
}

function printFindings(
  findings: readonly Finding[],
  folder: string,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
): void {
  // In JSON, paths are relative to the project; in all other formats, to the current folder.
  const located = locateFindings(findings, folder);
  switch (args.getValue('format')) {
    case 'json':
      output.printJson(toOutput(findings));
      break;
    case 'sarif':
      output.printJson(createSarifLog(located));
      break;
    case 'junit':
      output.printReport(formatFindingsJUnit(located));
      break;
    case 'github':
      located.forEach((finding) => output.printWorkflowCommand(formatFindingAnnotation(finding)));
      break;
    case undefined:
    case 'text':
    default:
      located.forEach((finding) => output.printLine(formatFinding(finding)));
  }
}

function countFindings(findings: readonly Finding[]): Readonly<Record<FindingSeverity, number>> {
  const count = (severity: FindingSeverity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return { error: count('error'), warning: count('warning'), information: count('information') };
}

const toOutput = (findings: readonly Finding[]): z.infer<typeof validateOutputSchema> => ({
  version: outputVersion,
  command: 'validate',
  counts: countFindings(findings),
  findings: findings.map(({ path, line, column, severity, code, message }) => ({
    path,
    line,
    column,
    severity,
    code,
    message,
  })),
});
