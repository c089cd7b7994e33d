import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fetchDatamodel } from '../../editor/support/demo.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const revenue = ['Sandbox', 'Viewpoints', 'Revenue by Region'] as const;

/** Returns the labels of a row's Copy menu. */
const getCopyLabels = async (studio: HostStudio, path: readonly string[]): Promise<readonly string[]> => {
  const { item } = await studio.findTreeItem(path);
  return studio.manifest.getMenuLabels('datamodelStudio.copy', {
    view: 'datamodelStudio.explorer',
    viewItem: item.contextValue,
  });
};

async function editWebLinks(studio: HostStudio, datamodel: string, viewpoint: string): Promise<void> {
  await studio.chooseFromContextMenu('Sandbox', 'Edit Web Links…');
  await studio.quickInput.waitForMessage(/^Address of a datamodel/);
  await studio.submitInputBox(datamodel);
  await studio.quickInput.waitForMessage(/^Address of a viewpoint/);
  await studio.submitInputBox(viewpoint);
}

describeOnSandbox('web links', (test) => {
  test('datamodels and viewpoints have links once the addresses of their pages are entered', async ({
    studio,
    sandbox,
  }) => {
    for (const path of [retail, revenue]) {
      assert.ok(!(await studio.getContextMenuLabels(path)).includes('Open in Browser'), path.join());
      assert.ok(!(await getCopyLabels(studio, path)).includes('Link'), path.join());
    }
    await editWebLinks(studio, '{url}/models/{id}?name={title}', 'https://portal.example.com/#/v/{title}');
    await waitFor(
      async () => (await studio.getContextMenuLabels(retail)).includes('Open in Browser'),
      () => 'The menu does not offer the link',
    );
    const { oid } = await fetchDatamodel(sandbox, 'Retail');
    const modelLink = `${sandbox.url}/models/${oid}?name=Retail`;
    const viewpointLink = 'https://portal.example.com/#/v/Revenue%20by%20Region';
    await studio.chooseFromContextMenu(retail, 'Open in Browser');
    await studio.chooseFromContextMenu(revenue, 'Open in Browser');
    await waitFor(
      () => studio.openedLinks.length === 2,
      () => `Opened: ${studio.openedLinks.join(', ')}`,
    );
    assert.deepEqual(studio.openedLinks, [modelLink, viewpointLink]);

    await studio.tree.chooseFromContextMenuOfSelection([retail, revenue], 'Copy', 'Link');
    await waitFor(
      async () => (await vscode.env.clipboard.readText()) === `${modelLink}\n${viewpointLink}`,
      () => 'The links are not copied',
    );
    // A dataset has no link.
    assert.ok(!(await getCopyLabels(studio, [...retail, 'Sales'])).includes('Link'));
    // Several pages at once are not opened.
    await assert.rejects(studio.tree.chooseFromContextMenuOfSelection([retail, revenue], 'Open in Browser'));

    await editWebLinks(studio, '', 'https://portal.example.com/#/v/{title}');
    await waitFor(
      async () => !(await studio.getContextMenuLabels(retail)).includes('Open in Browser'),
      () => 'The link stays',
    );
    assert.ok((await studio.getContextMenuLabels(revenue)).includes('Open in Browser'));
    await editWebLinks(studio, '', '');
  });

  test('a title with special characters stays one part of the address', async ({ studio, sandbox }) => {
    await editWebLinks(studio, '', '{url}/v?name={title}&view=1');
    const before = await fetchViewpoint(sandbox);
    const path = `/api/v1/infusion/viewpoints/${before.id}`;
    await sandbox.request('PUT', path, { name: 'Q&A #1 100%/../x' });
    await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
    await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', 'Q&A #1 100%/../x'], 'Open in Browser');
    const link = `${sandbox.url}/v?name=Q%26A%20%231%20100%25%2F..%2Fx&view=1`;
    await waitFor(
      () => studio.openedLinks.at(-1) === link,
      () => `Opened: ${studio.openedLinks.at(-1)}`,
    );
    await sandbox.request('PUT', path, { name: before.name });
    await editWebLinks(studio, '', '');
  });

  test('an invalid address is refused with a reason', async ({ studio }) => {
    await studio.chooseFromContextMenu('Sandbox', 'Edit Web Links…');
    for (const [text, reason] of [
      [
        'javascript:alert({id})',
        'The address must start with {url}, https://, or http://, followed by a path.',
      ],
      ['https://{title}/x', 'The address must start with {url}, https://, or http://, followed by a path.'],
      ['https://anna:pass@bi.example/{id}', 'Remove the user name and password from the address'],
      ['{url}/{name}', 'The path can contain only these placeholders: {id}, {title}.'],
      ['{url}/models', 'The path must contain {id} or {title}.'],
    ] as const) {
      await studio.submitInputBox(text);
      await studio.quickInput.waitForMessage(reason);
    }
    await studio.quickInput.cancel();
  });
});
