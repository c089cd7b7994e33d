import { afterEach, expect, test } from 'vitest';
import type { ProjectStatus } from '../../../src/project/status/statusCalls.ts';
import { StatusThread } from '../../../src/project/status/statusThread.ts';
import { createRetailDocuments, paths } from '../../unit/project/pull/pullSupport.ts';
import {
  createReading,
  summarizeStatus,
  writeProjectFile,
  writePulledProject,
} from '../../unit/project/status/statusSupport.ts';

const script = new URL('../../../src/project/status/statusWorker.ts', import.meta.url);

const toDataUrl = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

/** The script of a thread that ends when it is asked for a file named "exit". */
const exitingScript = toDataUrl(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ argument }) => argument === 'exit' && process.exit(3));
  await import(${JSON.stringify(String(script))});
`);

const threads: StatusThread[] = [];
afterEach(() => threads.splice(0).forEach((thread) => thread.dispose()));

function startThread(source: URL) {
  const project = writePulledProject(createRetailDocuments());
  const failures: string[] = [];
  const restarts: ProjectStatus[] = [];
  const thread = new StatusThread(
    source,
    { folder: project.folder, environmentName: 'test' },
    { onFailure: ({ message }) => failures.push(message), onRestart: (status) => restarts.push(status) },
  );
  threads.push(thread);
  const editRegion = (): void =>
    writeProjectFile(
      project.folder,
      paths.region,
      (project.texts.get(paths.region) ?? '').replace('North', 'South'),
    );
  return { project, thread, failures, restarts, editRegion };
}

const changedReading = createReading(createRetailDocuments([['"People"', '"Humans"']]));

test('a thread keeps the status of a project, and completes calls in order', async () => {
  const { project, thread, failures, restarts, editRegion } = startThread(script);
  expect(summarizeStatus(await thread.call('reload'))).toEqual([]);
  editRegion();
  const [updated, text, read] = await Promise.all([
    thread.call('update', [paths.region]),
    thread.call('getServerText', paths.region),
    thread.setReading(changedReading),
  ]);
  expect(summarizeStatus(updated)).toEqual([`here: ${paths.region} changed unknown`]);
  expect(text).toBe(project.texts.get(paths.region));
  expect(summarizeStatus(read)).toEqual([
    `here: ${paths.region} changed unchanged`,
    `server: ${paths.customers} unchanged changed`,
  ]);
  thread.dispose();
  await expect(thread.call('reload')).rejects.toThrow('The status of the project was closed');
  expect({ failures, restarts }).toEqual({ failures: [], restarts: [] });
});

test('concurrent readings of the instance have separate results', async () => {
  const { thread } = startThread(script);
  await thread.call('reload');
  const [firstStatus, secondStatus] = await Promise.all([
    thread.setReading(changedReading),
    thread.setReading(createReading(createRetailDocuments())),
  ]);
  expect(summarizeStatus(firstStatus)).toEqual([`server: ${paths.customers} unchanged changed`]);
  expect(summarizeStatus(secondStatus)).toEqual([]);
});

test('a reading that fails halfway does not affect the next reading', async () => {
  const { thread } = startThread(script);
  await thread.call('reload');
  const { documents, scope } = createReading(createRetailDocuments());
  const failing = Object.defineProperty({ ...documents }, 'viewpoints', {
    get: () => {
      throw new Error('broken');
    },
  });
  await expect(thread.setReading({ documents: failing, scope })).rejects.toThrow('broken');
  expect(summarizeStatus(await thread.setReading(changedReading))).toEqual([
    `server: ${paths.customers} unchanged changed`,
  ]);
});

test('the calls of a thread that fails are rejected', async () => {
  const { thread, failures } = startThread(toDataUrl('throw new Error("broken")'));
  await expect(thread.call('reload')).rejects.toThrow('broken');
  expect(failures).toEqual(['broken']);
});

test('a thread that ends is replaced at the next call, which reads the current files', async () => {
  const { project, thread, failures, restarts, editRegion } = startThread(exitingScript);
  await thread.call('reload');
  await thread.setReading(changedReading);
  const reason = 'The thread has ended with code 3';
  await expect(thread.call('getServerText', 'exit')).rejects.toThrow(reason);
  expect({ failures, restarts }).toEqual({ failures: [reason], restarts: [] });
  editRegion();
  expect(await thread.call('getServerText', paths.customers)).toBe(project.texts.get(paths.customers));
  expect(restarts).toMatchObject([{ isServerKnown: false }]);
  expect(restarts.map(summarizeStatus)).toEqual([[`here: ${paths.region} changed unknown`]]);
  expect(summarizeStatus(await thread.setReading(changedReading))).toEqual([
    `here: ${paths.region} changed unchanged`,
    `server: ${paths.customers} unchanged changed`,
  ]);
  expect(restarts).toHaveLength(1);
});
