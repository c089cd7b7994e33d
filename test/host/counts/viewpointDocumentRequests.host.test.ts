import assert from 'node:assert/strict';
import { type RecordingProxy, startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { viewpointFileText } from '../../editor/support/viewpointFile.ts';
import type { ViewpointEdit } from '../../../src/viewpoints/form/viewpointEdit.ts';
import type { ViewpointQuestion } from '../../../src/webviews/protocol/formQuestions.ts';
import { prepareSandboxAndFiles } from '../support/files.ts';
import { HostedForm } from '../support/hostedForm.ts';
import { acceptProposal, complete, findCaret, getCompletionLabel } from '../support/language.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** Waits until the viewpoints of the instance are read: completion proposes their apps and groups. */
const waitForViewpointRequest = (recorder: RecordingProxy): Promise<unknown> =>
  waitFor(
    () => recorder.takeRequests().some((request) => request.includes('/infusion/viewpoints')),
    () => 'The viewpoints are not read',
  );

describeStudio(
  'requests of documents',
  async (disposables) => {
    const { sandbox, files, options } = await prepareSandboxAndFiles(disposables);
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    return { files, recorder, options: { ...options, env: recorder.env } };
  },
  (test) => {
    test('once the datamodel is known, typing and completion send no request, and a form requests users and groups once', async ({
      studio,
      files,
      recorder,
    }) => {
      await studio.expand(['Sandbox', 'Datamodels', 'Retail']);
      const text = viewpointFileText.replace('"[Stores.City]"', '""');
      const editor = await files.open('Requests.viewpoint.json', text);
      await waitForViewpointRequest(recorder);
      const dim = findCaret(editor, '"dim": "|"');
      await waitFor(
        async () => {
          const items = await complete(editor, dim, '"');
          return items.some((item) => getCompletionLabel(item) === '[Order Items.Revenue]');
        },
        () => 'No column is offered',
      );
      recorder.takeRequests();
      await editor.edit((edit) => edit.insert(dim, 'storescit'));
      await acceptProposal(editor, findCaret(editor, '"storescit|"'), '[Stores.City]');
      assert.deepEqual(recorder.takeRequests(), []);

      await editor.document.save();
      const form = await HostedForm.open<ViewpointEdit, ViewpointQuestion>(
        studio,
        'datamodelStudio.viewpointForm',
        editor,
      );
      await form.waitForTables();
      form.ask({ kind: 'share', list: 'users' });
      await studio.quickInput.waitForTitle('Share with User');
      const [user = ''] = await studio.quickInput.getLabels();
      await studio.selectQuickPick(user);
      await form.edit({ kind: 'published', value: true });
      const requests = recorder.takeRequests();
      assert.ok(requests.length > 0);
      assert.deepEqual(
        requests.filter((request) => !/^GET \/api\/v1\/(users|groups)\?/.test(request)),
        [],
      );
      assert.equal(new Set(requests).size, requests.length);
    });
  },
);
