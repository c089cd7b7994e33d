import { expect, test } from 'vitest';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import { hashFileContent } from '../../../../src/project/pull/unchangedFiles.ts';
import { PulledProject, createRetailDocuments, nothing, paths, summarize } from './pullSupport.ts';

const generatedColumn = '000001","name":"Id","type":8}]}';

function createProject(): PulledProject {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  return project;
}

/** Forgets the columns of the custom table, as after an apply that has created it again. */
function forgetColumns(project: PulledProject): void {
  const key = 'table/Retail/Top';
  const entry = project.lock.entries.get(key);
  const parts = new Map([...(entry?.parts ?? [])].filter(([pointer]) => !pointer.startsWith('/columns')));
  project.lock = {
    ...project.lock,
    entries: new Map([...project.lock.entries, [key, { ...entry, parts }]]),
  };
}

test('what the next build derives from the SQL of a custom table that was created again is pulled', () => {
  const project = createProject();
  forgetColumns(project);
  const builtInstance = createRetailDocuments([
    [generatedColumn, '000001","name":"Id","type":5,"size":19,"indexed":true}]}'],
  ]);
  expect(summarize(project.pull(builtInstance))).toEqual({ ...nothing, writes: [paths.top] });
  expect(project.texts.get(paths.top)).toContain('"size": 19');
  expect(summarize(project.pull(builtInstance))).toEqual(nothing);
});

test('what the instance has derived again is pulled, even if the file was changed in the same place', () => {
  const project = createProject();
  project.edit(paths.top, '"type": 8', '"type": 18');
  const builtInstance = createRetailDocuments([[generatedColumn, '000001","name":"Id","type":5}]}']]);
  expect(summarize(project.pull(builtInstance))).toEqual({ ...nothing, writes: [paths.top] });
  expect(project.texts.get(paths.top)).toContain('"type": 5');
});

/** Replaces the columns of the custom table by an empty list, as in the file of a new one before the first build. */
function emptyColumns(project: PulledProject, lockEntry: 'applied' | 'changed since' | 'none'): void {
  project.texts.set(
    paths.top,
    (project.texts.get(paths.top) ?? '').replace(/"columns": \[[^]*?\n {2}\]/, '"columns": []'),
  );
  const key = 'table/Retail/Top';
  const { [key]: entry, ...others } = Object.fromEntries(project.lock.entries);
  if (entry === undefined) {
    throw new Error('The table was not pulled');
  }
  const item = parseProject({ texts: project.texts, faults: [] }).items.find(
    (other) => formatItemKey(other.key) === key,
  );
  const appliedFile = lockEntry === 'applied' && item !== undefined ? hashFileContent(item) : undefined;
  project.lock = {
    ...project.lock,
    entries: new Map(
      Object.entries(lockEntry === 'none' ? others : { ...others, [key]: { ...entry, appliedFile } }),
    ),
  };
}

const builtInstance = createRetailDocuments([[generatedColumn, '000001","name":"Id","type":5,"size":19}]}']]);

test.each(['applied', 'changed since', 'none'] as const)(
  'the columns of a new custom table are pulled after its build (the file in the lock: %s)',
  (lockEntry) => {
    const project = createProject();
    emptyColumns(project, lockEntry);
    expect(summarize(project.pull(builtInstance))).toEqual({ ...nothing, writes: [paths.top] });
    expect(project.texts.get(paths.top)).toContain('"size": 19');
    expect(summarize(project.pull(builtInstance))).toEqual(nothing);
  },
);

test('the columns of a new custom table are pulled although its SQL was changed since the apply', () => {
  const project = createProject();
  emptyColumns(project, 'applied');
  project.edit(paths.topSql, 'SELECT', 'SELECT DISTINCT');
  expect(summarize(project.pull(builtInstance))).toMatchObject({ writes: [paths.top], conflicts: [] });
  expect(project.texts.get(paths.top)).toContain('"size": 19');
});

test('a column that was removed together with its SQL stays removed', () => {
  const project = createProject();
  emptyColumns(project, 'changed since');
  project.edit(paths.topSql, 'SELECT', 'SELECT DISTINCT');
  expect(summarize(project.pull(createRetailDocuments()))).toMatchObject({ writes: [], conflicts: [] });
  expect(project.texts.get(paths.top)).toContain('"columns": []');
});

test.each([
  ['another member of a generated column', paths.top, '"type": 8', '"type": 8, "description": "Mine"'],
  ['a column that is not generated', paths.customers, '"type": 8', '"type": 18'],
])('%s is still in conflict if both sides have changed it', (_name, path, from, to) => {
  const project = createProject();
  project.edit(path, from, to);
  const changedInstance = createRetailDocuments([
    [generatedColumn, '000001","name":"Id","type":5}]}'],
    ['000001","name":"Id","type":8},', '000001","name":"Id","type":5},'],
  ]);
  expect(summarize(project.pull(changedInstance)).conflicts).toHaveLength(1);
});
