import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TextMatcher } from '../../editor/support/textPatterns.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

async function find(studio: HostStudio, text: string, expected: TextMatcher): Promise<void> {
  await studio.runCommand('Datamodel Studio: Find in Connections…');
  await studio.quickInput.waitForTitle('Find');
  await studio.quickInput.fill(text);
  await studio.quickInput.waitForRow(expected);
  await studio.quickInput.cancel();
}

const isDatamodelRequest = (line: string): boolean => line.includes('/datamodels');

for (const profile of ['guide', 'contract'] as const) {
  describeStudio(
    `the requests of Find in Connections, ${profile}`,
    async (disposables) => {
      const sandbox = disposables.use(await startHostSandbox({ profile }));
      const recorder = disposables.use(await startRecordingProxy(sandbox));
      return { recorder, options: { env: recorder.env } };
    },
    (test) => {
      test('datamodels are requested by the first search only', async ({ studio, recorder }) => {
        await find(studio, 'order items.unit', 'Unit Price');
        await find(studio, 'leads', /^Leads\nMarketing\n/);
        const requests = recorder.takeRequests().filter(isDatamodelRequest);
        assert.ok(requests.includes('GET /api/v2/datamodels'), requests.join(', '));
        assert.deepEqual(requests.toSorted(), [...new Set(requests)].toSorted());

        await find(studio, 'Profit by Category', 'Profit by Category');
        await find(studio, 'ad spend', 'Marketing');
        await find(studio, 'order items.unit', 'Unit Price');
        assert.deepEqual(recorder.takeRequests().filter(isDatamodelRequest), []);
      });

      test('Go to Symbol in Workspace sends no request', async ({ studio, recorder }) => {
        await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Order Items', 'Unit Price']);
        recorder.takeRequests();
        const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
          'vscode.executeWorkspaceSymbolProvider',
          'Unit Price',
        );
        assert.ok(symbols.some(({ name }) => name === 'Unit Price'));
        assert.deepEqual(recorder.takeRequests(), []);
      });
    },
  );
}
