import assert from 'node:assert/strict';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { expressionText, type Table } from '../../../src/contract/table.ts';
import { journey } from '../support/journey.ts';
import { openSandbox, type TestSandbox } from '../support/sandbox.ts';

const orders = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'] as const;

/** The tables of the Retail datamodel as the sandbox has them. */
async function tablesOf(sandbox: TestSandbox): Promise<ReadonlyMap<string, Table>> {
  const datamodels = (await sandbox.request('GET', '/api/v2/datamodels')) as Datamodel[];
  const retail = datamodels.find(({ title }) => title === 'Retail');
  const tables = (retail?.datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
  return new Map(tables.map((table) => [table.name ?? '', table]));
}

journey(
  'a renamed column takes SQL, rules and viewpoints with it, and comes back as one',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env });
    await studio.openView();
    await studio.contextMenu([...orders, 'Status'], 'Rename…');
    await studio.inputBox('channel');
    await studio.quickInput.message(/Another one has that name/);
    await studio.inputBox('State');
    await studio.quickInput.shows('Customer Value');
    await studio.screenshot('rename-parts');
    await studio.quickInput.pickMany([]);
    await studio.treeItem([...orders, 'State']);
    const tables = await tablesOf(sandbox);
    assert.match(expressionText(tables.get('Customer Value')?.expression) ?? '', /o\.\[State\] NOT IN/);
    const rules = (await sandbox.request('GET', '/api/elasticubes/LocalHost/Retail/datasecurity')) as {
      readonly table: string;
      readonly column: string;
    }[];
    assert.deepEqual(
      rules
        .filter(({ table, column }) => table === 'Orders' && column.startsWith('Stat'))
        .map(({ column }) => column),
      ['State', 'State'],
    );

    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.treeItem([...orders, 'Status']);
    assert.match(
      expressionText((await tablesOf(sandbox)).get('Customer Value')?.expression) ?? '',
      /o\.\[Status\] NOT IN/,
    );
  },
);
