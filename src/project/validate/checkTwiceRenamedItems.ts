import { createMessage } from '../../base/localize.ts';
import type { Project } from '../files/project.ts';
import { renamedFromMember } from '../item.ts';
import { type EnvironmentLock, findTwiceRenamedItems } from '../pull/twiceRenamedItems.ts';
import { FileLocator } from './fileLocator.ts';
import { type Finding, toDescription } from './finding.ts';

/** Warns about items that were renamed twice, while the lock file of an environment still has their first name. */
export const checkTwiceRenamedItems = (
  project: Project,
  locks: readonly EnvironmentLock[],
): readonly Finding[] =>
  findTwiceRenamedItems(project, locks).map(({ item, path, name, earlierNames }) => ({
    path: item.path,
    ...new FileLocator(item.text).locatePath([...path, renamedFromMember]),
    severity: 'warning',
    code: 'project/renamed-twice',
    ...toDescription(
      createMessage(
        '"{0}" was probably renamed twice, and these environments still have its first name: {1}. An apply there would create a new item instead of renaming the existing one. Apply the first rename there before you apply the second.',
        name,
        earlierNames.map((earlier) => `${earlier.environment} ("${earlier.name}")`).join(', '),
      ),
    ),
  }));
