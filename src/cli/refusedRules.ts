import { RuleChangeRefusedError } from '../changes/rules/ruleTarget.ts';
import type { ProjectPlan } from '../project/apply/loadProjectPlan.ts';
import { formatItemKey, type ItemKey } from '../project/item.ts';
import { FileLocator } from '../project/validate/fileLocator.ts';
import { findSamePartiesRules } from '../project/validate/sameParties.ts';
import { CommandRefusedError } from './exitCodes.ts';
import { formatCliError } from './errorMessages.ts';

/**
 * Returns the error for a plan whose change of rules is refused, with the files and datamodels of these rules. Returns
 * any other error as it is, and one whose files aren't known: the same column may be in several datamodels.
 */
export function nameRefusedRules(
  error: unknown,
  { project, prepared }: Pick<ProjectPlan, 'project' | 'prepared'>,
): unknown {
  if (!(error instanceof RuleChangeRefusedError)) {
    return error;
  }
  const changed = new Set(prepared.comparison.changes.map(({ key }) => formatItemKey(key)));
  const places = project.items.flatMap(({ key, path, content, text }) => {
    const owner = getOwner(key);
    if (
      owner === undefined ||
      !changed.has(formatItemKey(key)) ||
      !('column' in key) ||
      key.table !== error.rule['table'] ||
      key.column !== error.rule['column']
    ) {
      return [];
    }
    const [second] = findSamePartiesRules(content);
    if (error.code !== 'same-parties') {
      return [`${owner}: ${path}`];
    }
    return second === undefined
      ? []
      : [`${owner}: ${path}:${new FileLocator(text).locatePath([second.index]).line}`];
  });
  return places.length === 0
    ? error
    : new CommandRefusedError(`${formatCliError(error)} They are in ${places.join(', ')}`);
}

/** Returns the datamodel or the cube set of rules; `undefined` for other items. */
const getOwner = (key: ItemKey): string | undefined =>
  key.kind === 'rules' ? key.datamodel : key.kind === 'cubeSetRules' ? key.cubeSet : undefined;
