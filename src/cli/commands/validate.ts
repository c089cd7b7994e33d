import { resolve } from 'node:path';
import type * as z from 'zod';
import type { Finding, FindingSeverity } from '../../project/validate/finding.ts';
import { validateProject } from '../../project/validate/validateProject.ts';
import type { RunCommand } from '../command.ts';
import { CommandRefusedError, exitCodes } from '../exitCodes.ts';
import { outputVersion, type validateOutputSchema } from '../outputs.ts';

/** Checks the files of a project without an instance. */
export const validate: RunCommand = async ({ args, output, signal }) => {
  const findings = await validateProject(resolve(args.getValue('project') ?? '.'));
  signal.throwIfAborted();
  if (findings === undefined) {
    throw new CommandRefusedError(
      'The folder is not a project. Expected: datamodel-studio.json, or a folder such as datamodels.',
    );
  }
  const result = toOutput(findings);
  if (args.getValue('format') === 'json') {
    output.printJson(result);
  } else {
    findings.forEach((finding) => output.printLine(formatFinding(finding)));
  }
  const { error, warning, information } = result.counts;
  const hasErrors = error > 0;
  output.printMessage(
    `Errors: ${error}, warnings: ${warning}, information: ${information}.`,
    hasErrors ? 'error' : 'success',
  );
  return hasErrors ? exitCodes.failed : exitCodes.done;
};

/** Each finding is one line, whatever names its message has. */
const formatFinding = ({ path, line, column, severity, message, code }: Finding): string =>
  `${path}:${line}:${column}: ${severity}: ${message} (${code})`.replaceAll(/[\r\n]+/g, ' ');

function toOutput(findings: readonly Finding[]): z.infer<typeof validateOutputSchema> {
  const count = (severity: FindingSeverity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return {
    version: outputVersion,
    command: 'validate',
    counts: { error: count('error'), warning: count('warning'), information: count('information') },
    findings: findings.map(({ path, line, column, severity, code, message }) => ({
      path,
      line,
      column,
      severity,
      code,
      message,
    })),
  };
}
