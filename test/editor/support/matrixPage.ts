import type { Rule } from '../../../src/contract/rule.ts';
import { formatMatrixCell } from '../../../src/security/matrix/cellText.ts';
import { createRuleMatrix } from '../../../src/security/matrix/ruleMatrix.ts';
import type { JourneySandbox } from './journeySandbox.ts';
import type { Studio } from './studio.ts';

/** Returns the cell in the row of a party and the column with the given header. */
export async function getMatrixCell(studio: Studio, party: string, column: string) {
  const page = studio.getWebview();
  const header = page.getByRole('columnheader', { name: column });
  const index = await header.getAttribute('aria-colindex');
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^(?:group |user )?${party}$`, 'i') }) })
    .locator(`[role="gridcell"][aria-colindex="${index}"]`);
}

export async function waitForCellText(
  studio: Studio,
  party: string,
  column: string,
  text: RegExp,
): Promise<void> {
  await (await getMatrixCell(studio, party, column)).filter({ hasText: text }).waitFor();
}

/** Returns the access that the server's rules give on a column, one line per party. */
export async function readColumnRules(
  sandbox: JourneySandbox,
  path: string,
  column: string,
): Promise<readonly string[]> {
  const rules = (await sandbox.request('GET', path)) as readonly Rule[];
  const names = new Map(
    rules.flatMap(({ shares }) =>
      (shares ?? []).map((share) => [
        `${share.type}:${share.partyId ?? share.party ?? ''}`,
        share.partyName ?? share.type,
      ]),
    ),
  );
  return [...createRuleMatrix(rules).cells]
    .filter(([key]) => key.startsWith(`${JSON.stringify(column.split('.'))} `))
    .map(([key, { value }]) => {
      const party = key.slice(JSON.stringify(column.split('.')).length + 1);
      return `${names.get(party) ?? party}: ${formatMatrixCell(value)}`;
    })
    .sort();
}

export async function openMatrixPage(studio: Studio, title: string): Promise<void> {
  await studio.openView();
  await studio.chooseFromContextMenu(
    ['Sandbox', 'Datamodels', title],
    'Data Security',
    'Edit Rules in Grid…',
  );
  await studio
    .getWebview()
    .getByRole('heading', { name: `Rules of ${title}` })
    .waitFor();
}
