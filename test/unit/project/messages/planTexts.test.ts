import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { ApplyProblemCode } from '../../../../src/project/apply/problems.ts';
import { describeApplyProblem } from '../../../../src/project/messages/planTexts.ts';

/** What each text says that the user can do. */
const remedies: Readonly<Record<ApplyProblemCode, RegExp>> = {
  'unknown-party': /Correct the name in the project, or add it on the instance\.$/,
  'ambiguous-party': /Rename all but one of them there\.$/,
  'unbound-party': /Pull from the instance first\.$/,
  'unknown-reference': /Correct the name in the file, or add it to the project\.$/,
  'unmapped-connection': / needs a connection: .* in the file of the environment\.$/,
  'masked-secret': /Remove or replace the masked value\.$/,
  'missing-id': / needs "id", its name in the data source\.$/,
  'fixed-title': /Use that title in the project\.$/,
  'dataset-in-use': /Include deletions of tables, too/,
  'table-in-use': /Delete the relation from the project, or keep the table\.$/,
  'rules-on-new-name': /To keep them, pull first\. Otherwise, delete them on the instance\.$/,
  'unknown-party-type': /Undo the rename in the project, or delete the rule on the instance\.$/,
  'filter-mismatch': /Correct the content or the filter\.$/,
  'missing-datamodel':
    /Correct its title in the file of the viewpoint, or add the datamodel to the project\.$/,
  'loses-later': /Remove the new parts from its file, apply, and then add them again\.$/,
  'circular-rename': /First give one of them a temporary name, and apply\.$/,
};

test.each(Object.entries(remedies))('a plan with the problem %s says what to do', (code, remedy) => {
  const key = { kind: 'table', datamodel: 'Retail', table: 'Orders' } as const;
  expect(describeApplyProblem(english, { code: code as ApplyProblemCode, key, name: 'Orders' })).toMatch(
    remedy,
  );
});
