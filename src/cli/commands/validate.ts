import { isAbsolute, relative, resolve, sep } from 'node:path';
import type * as z from 'zod';
import type { Finding, FindingSeverity } from '../../project/validate/finding.ts';
import { NoProjectError, requireProject, validateProject } from '../../project/validate/validateProject.ts';
import { listChangedFiles } from '../changedFiles.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { CommandRefusedError, exitCodes } from '../exitCodes.ts';
import { formatFinding, formatFindingsJUnit, formatGitHubCommand } from '../findings/formatFindings.ts';
import { createSarifLog } from '../findings/formatSarif.ts';
import { outputVersion, type validateOutputSchema } from '../outputs.ts';

/** Checks the files of a project without an instance. */
export const validate: RunCommand = async (context) => {
  const { args, output, signal } = context;
  const folder = resolve(args.getValue('project') ?? '.');
  const findings = await findProblems(folder, context);
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
async function findProblems(
  folder: string,
  { args, output, shell, signal }: CommandContext,
): Promise<readonly Finding[]> {
  try {
    await requireProject(folder);
    const ref = args.getValue('changed-since');
    if (ref === undefined) {
      return await validateProject(folder);
    }
    const changedPaths = await listChangedFiles(ref, { folder, shell, signal });
    output.printMessage('Only changed files and what depends on them are reported.');
    return await validateProject(folder, { changedPaths });
  } catch (error) {
    throw error instanceof NoProjectError ? new CommandRefusedError(error.message) : error;
  }
}

function printFindings(
  findings: readonly Finding[],
  folder: string,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
): void {
  const prefix = getPathPrefix(folder);
  // In JSON, paths are relative to the project. The other formats are for people and CI servers, which expect paths
  // that are relative to the current folder.
  const located = findings.map((finding) => ({ ...finding, path: `${prefix}${finding.path}` }));
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
      located.forEach((finding) => output.printWorkflowCommand(formatGitHubCommand(finding)));
      break;
    case undefined:
    case 'text':
    default:
      located.forEach((finding) => output.printLine(formatFinding(finding)));
  }
}

/** Returns the prefix that makes project paths relative to the current folder; empty if the project is outside it. */
function getPathPrefix(folder: string): string {
  const path = relative(resolve('.'), folder);
  return path === '' || path.split(sep)[0] === '..' || isAbsolute(path)
    ? ''
    : `${path.replaceAll(sep, '/')}/`;
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
