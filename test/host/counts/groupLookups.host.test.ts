import assert from 'node:assert/strict';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { textEditorSettings } from '../../editor/support/viewpointDocument.ts';
import type { MatrixHostMessage } from '../../../src/webviews/protocol/ruleMatrix.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;

const newGroupId = '5f0000000000000000000001';

/** The requests that look up a group by its name. */
const getLookups = (requests: readonly string[]): readonly string[] =>
  requests.filter((line) => /^GET \/api\/v1\/groups\?.*\bname=/.test(line));

for (const profile of ['guide', 'contract'] as const) {
  describeStudio(
    `the look-ups of groups, ${profile}`,
    async (disposables) => {
      const sandbox = disposables.use(await startHostSandbox({ profile }));
      const recorder = disposables.use(await startRecordingProxy(sandbox));
      return { recorder, options: { env: recorder.env, settings: textEditorSettings } };
    },
    (test) => {
      test('a typed group that is not in the list of groups is looked up by its name', async ({
        studio,
        recorder,
      }) => {
        await studio.chooseFromContextMenu(retail, 'Data Security', 'Edit Rules in Grid…');
        const page = await studio.findPage('datamodelStudio.ruleMatrix');
        await page.waitForMessage('data');
        // Another user has created the group since the list was read.
        recorder.getInterceptedResponse = (method, path) =>
          method === 'GET' && path.includes('name=Brand%20Newer')
            ? { status: 200, body: JSON.stringify([{ _id: newGroupId }]) }
            : undefined;
        recorder.takeRequests();
        page.post({ type: 'findParty', partyType: 'group', text: 'Brand Newer' });
        const { id } = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'party' }>>('party');
        assert.equal(id, newGroupId);
        assert.deepEqual(getLookups(recorder.takeRequests()), [
          'GET /api/v1/groups?fields=_id&name=Brand Newer',
        ]);
      });
    },
  );
}
