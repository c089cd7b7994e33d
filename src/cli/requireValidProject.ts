import { formatItemKey } from '../project/item.ts';
import { createSelection } from '../project/settings/projectSettings.ts';
import { createAffectedCheck } from '../project/validate/affectedFindings.ts';
import { checkProject } from '../project/validate/validateProject.ts';
import type { Arguments } from './command.ts';
import { formatCommand, repeatOption } from './commandHint.ts';
import { CommandRefusedError } from './exitCodes.ts';
import { formatFinding } from './findings/formatFindings.ts';
import { locateFindings } from './findings/locateFindings.ts';
import type { LoadedPlan } from './projectPlan.ts';

/** The number of errors that are listed; `validate` lists all. */
const maxErrors = 20;

/**
 * Requires that the files that a plan changes, and those that depend on them, have no errors. An error elsewhere, such
 * as one that the instance has as well, stays as it is and hinders nobody.
 * @throws CommandRefusedError with the errors
 */
export function requireValidProject({ target, project, prepared }: LoadedPlan, args: Arguments): void {
  const { changes } = prepared.comparison;
  if (changes.length === 0) {
    return;
  }
  const paths = new Map(project.items.map(({ key, path }) => [formatItemKey(key), path]));
  const changedPaths = changes.flatMap(
    ({ key }) =>
      paths.get(formatItemKey(key)) ??
      // Something is deleted from a datamodel.
      ('datamodel' in key
        ? paths.get(formatItemKey({ kind: 'datamodel', datamodel: key.datamodel }))
        : undefined) ??
      [],
  );
  const isAffected = createAffectedCheck(project, changedPaths);
  const errors = checkProject(project, createSelection(target.settings)).filter(
    (finding) => finding.severity === 'error' && isAffected(finding),
  );
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
      ],
    );
  }
}
