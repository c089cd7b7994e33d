import { type FindingCode, isIgnorableCode } from '../project/validate/finding.ts';
import type { Arguments } from './command.ts';
import { formatCommand, repeatOption } from './commandHint.ts';
import { CommandRefusedError } from './exitCodes.ts';
import { formatFinding } from './findings/formatFindings.ts';
import { locateFindings } from './findings/locateFindings.ts';
import type { LoadedPlan } from './projectPlan.ts';

/** The number of errors that are listed; `validate` lists all. */
const maxErrors = 20;

/**
 * Requires that the files that a plan changes, and those that depend on them, have no errors.
 * @throws CommandRefusedError with the errors
 */
export function requireValidProject(
  { target, findErrors }: LoadedPlan,
  args: Arguments,
  ignoredCodes: ReadonlySet<FindingCode>,
): void {
  const { blocking: errors } = findErrors();
  if (errors.length > 0) {
    throw new CommandRefusedError(
      `The files that the plan changes have ${errors.length === 1 ? '1 error' : `${errors.length} errors`}. Nothing was written.`,
      undefined,
      [
        ...locateFindings(errors.slice(0, maxErrors), target.folder).map(formatFinding),
        ...(errors.length > maxErrors
          ? [
              `${errors.length - maxErrors} more. To list them: ${formatCommand(['validate', ...repeatOption('project', args)])}`,
            ]
          : []),
        ...formatIgnoreHint(
          errors.map(({ code }) => code),
          { ignoredCodes, hasPlanFile: args.positionals.length > 0 },
        ),
      ],
    );
  }
}

/** Formats how to ignore errors that the instance would accept; returns nothing if one of them can't be ignored. */
function formatIgnoreHint(
  codes: readonly FindingCode[],
  {
    ignoredCodes,
    hasPlanFile,
  }: { readonly ignoredCodes: ReadonlySet<FindingCode>; readonly hasPlanFile: boolean },
): readonly string[] {
  if (!codes.every(isIgnorableCode)) {
    return [];
  }
  const option = `--ignore-errors ${[...new Set([...ignoredCodes, ...codes])].toSorted().join(',')}`;
  return [
    hasPlanFile
      ? `If the instance accepts these files, create the plan again with ${option}.`
      : `If the instance accepts these files, use ${option}. The plan then lists what it ignores.`,
  ];
}
