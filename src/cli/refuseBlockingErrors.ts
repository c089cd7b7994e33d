import { splitUnreadFiles } from '../project/apply/unreadFiles.ts';
import { type Finding, type FindingCode, isIgnorableCode } from '../project/validate/finding.ts';
import { toFinding } from '../project/validate/validateProject.ts';
import type { Arguments } from './command.ts';
import { formatCommand, repeatOption } from './commandHint.ts';
import { CommandRefusedError } from './exitCodes.ts';
import { formatFinding } from './findings/formatFindings.ts';
import { locateFindings } from './findings/locateFindings.ts';
import type { LoadedPlan } from './projectPlan.ts';

/** The number of errors that are listed; `validate` lists all. */
const maxErrors = 20;

/**
 * Refuses a plan if the files that it changes, or files that depend on them, have errors. Errors in other files don't
 * matter. Files that can't be read are listed, too, because they would prevent the apply of the corrected files.
 * @throws CommandRefusedError with the errors
 */
export function refuseBlockingErrors(
  loaded: LoadedPlan,
  args: Arguments,
  ignoredCodes: ReadonlySet<FindingCode>,
): void {
  const { blocking } = loaded.findErrors();
  if (blocking.length > 0) {
    const unreadFileErrors = findUnreadFileErrors(loaded, blocking);
    const errors = [...blocking, ...unreadFileErrors];
    const unreadFileText =
      unreadFileErrors.length === 0 ? '' : `, and other files have ${formatErrorCount(unreadFileErrors)}`;
    throw new CommandRefusedError(
      `The files to be applied have ${formatErrorCount(blocking)}${unreadFileText}. Nothing was written.`,
      undefined,
      [
        ...locateFindings(errors.slice(0, maxErrors), loaded.target.folder).map(formatFinding),
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

/** Finds the errors of files that can't be read, except for the given ones. */
function findUnreadFileErrors(loaded: LoadedPlan, known: readonly Finding[]): readonly Finding[] {
  const knownTexts = new Set(known.map(formatFinding));
  return splitUnreadFiles(loaded)
    .withinLimits.map(toFinding)
    .filter((finding) => !knownTexts.has(formatFinding(finding)));
}

const formatErrorCount = ({ length }: readonly Finding[]): string =>
  length === 1 ? '1 error' : `${length} errors`;

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
