import { expect, test } from 'vitest';
import { StatusThread } from '../../../src/project/status/statusThread.ts';
import { createRetailDocuments, paths } from '../../unit/project/pull/pullSupport.ts';
import {
  createReading,
  summarizeStatus,
  writeProjectFile,
  writePulledProject,
} from '../../unit/project/status/statusSupport.ts';

const script = new URL('../../../src/project/status/statusWorker.ts', import.meta.url);

test('a thread keeps the status of a project, and answers in order', async () => {
  const project = writePulledProject(createRetailDocuments());
  const thread = new StatusThread(script, { folder: project.folder, environmentName: 'test' });
  try {
    expect(summarizeStatus(await thread.call('reload'))).toEqual([]);
    writeProjectFile(
      project.folder,
      paths.region,
      (project.texts.get(paths.region) ?? '').replace('North', 'South'),
    );
    const [updated, text, read] = await Promise.all([
      thread.call('update', [paths.region]),
      thread.call('getServerText', paths.region),
      thread.setReading(createReading(createRetailDocuments([['"People"', '"Humans"']]))),
    ]);
    expect(summarizeStatus(updated)).toEqual([`here: ${paths.region} changed unknown`]);
    expect(text).toBe(project.texts.get(paths.region));
    expect(summarizeStatus(read)).toEqual([
      `here: ${paths.region} changed unchanged`,
      `server: ${paths.customers} unchanged changed`,
    ]);
  } finally {
    thread.dispose();
  }
  expect(thread.hasEnded).toBe(true);
  await expect(thread.call('reload')).rejects.toThrow('The thread with the status of the project has ended');
});

test('a thread that fails rejects what it was asked', async () => {
  const failing = new URL(`data:text/javascript,${encodeURIComponent('throw new Error("broken")')}`);
  const thread = new StatusThread(failing, { folder: '/', environmentName: 'test' });
  await expect(thread.call('reload')).rejects.toThrow('broken');
  expect(thread.hasEnded).toBe(true);
});
