import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { CommandContext } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { openInstance } from '../../src/cli/instance.ts';
import { createPlanOutput } from '../../src/cli/planOutput.ts';
import { toSelectionLimits } from '../../src/cli/selectionLimits.ts';
import { loadPlan, loadPlanEffects } from '../../src/cli/projectPlan.ts';
import { readProjectTarget } from '../../src/cli/projectTarget.ts';
import { readProject } from '../../src/project/files/readProject.ts';
import { convertInstance } from '../../src/project/instance/convertInstance.ts';
import { readMatchingLock } from '../../src/project/pull/pullProject.ts';
import { createSelection } from '../../src/project/settings/projectSettings.ts';
import { readInstance } from '../../src/project/source/readInstance.ts';
import { createTemporaryFolder } from '../editor/support/temporaryFolder.ts';
import { compare, measureMs } from './harness/bench.ts';
import { startBenchSandbox } from './support.ts';

/**
 * Planning a datamodel of 500 tables with 2,000 rules: if the instance already matches the project, compared with
 * reading both as items; and if the datamodel does not exist on the instance.
 */
const title = 'Enterprise';
const maxPlanMs = 5000;

await using sandbox = await startBenchSandbox('large');
await using temporary = await createTemporaryFolder();

/** Creates the context in which a command runs, with the given options. */
function createContext(values: Readonly<Record<string, string>>): CommandContext {
  const options = new Map(Object.entries({ url: sandbox.url, 'token-env': 'STUDIO_TOKEN', ...values }));
  const ignore = (): void => undefined;
  return {
    args: { positionals: [], getValue: (name) => options.get(name), has: (name) => options.has(name) },
    shell: {
      env: { STUDIO_TOKEN: sandbox.token },
      platform: process.platform,
      home: temporary.path,
      readInput: () => Promise.resolve(''),
      isInputTerminal: false,
      isErrorTerminal: false,
      isOutputTerminal: false,
      writeData: ignore,
      writeMessage: ignore,
    },
    output: {
      printLine: ignore,
      printWorkflowCommand: ignore,
      printReport: ignore,
      printRaw: ignore,
      printJson: ignore,
      printMessage: ignore,
      showProgress: ignore,
    },
    clock: systemClock,
    signal: new AbortController().signal,
  };
}

/** Opens a project and its instance. Returns a function that reads both as items, and a function that plans. */
async function openProject(project: string, limits: { readonly datamodel?: string }) {
  const context = createContext({ project });
  const target = await readProjectTarget(context);
  const instance = openInstance(target.instance, context.shell, systemClock);
  const changes = await instance.openChangeServices(join(temporary.path, 'state'));
  return {
    read: async () => {
      const { folder, environmentName, settings, instance: instanceTarget } = target;
      const lock = await readMatchingLock({ folder, environmentName, address: instanceTarget.connection });
      const { documents } = await readInstance((await instance.getSession()).client, {
        selection: createSelection(settings, toSelectionLimits(limits)),
        signal: context.signal,
        log: silentLog,
        lock,
      });
      await readProject(target.folder);
      convertInstance({ ...documents, numberedReferences: lock.numberedReferences });
    },
    plan: async () => {
      const options = { limits, prunedKinds: new Set<never>(), ignoredCodes: new Set<never>() };
      const loaded = await loadPlan(target, { instance, context, options, isSent: false });
      return createPlanOutput(loaded, await loadPlanEffects(loaded, changes, context.signal));
    },
    [Symbol.dispose]: () => instance.dispose(),
  };
}

const fullProject = join(temporary.path, 'fullProject');
await mkdir(fullProject);
const pull = await commands.find(({ name }) => name === 'pull')?.load();
if ((await pull?.(createContext({ project: fullProject }))) !== 0) {
  throw new Error('The pull failed');
}

for (const limits of [{}, { datamodel: title }]) {
  using project = await openProject(fullProject, limits);
  const isPart = 'datamodel' in limits;
  await compare(
    {
      name: isPart ? 'sameDatamodel' : 'same',
      what: `Plan with nothing to do: 500 tables and 2,000 rules${isPart ? '' : ', and 5,000 viewpoints'}`,
      baseline: 'reading the project and the instance as items',
    },
    {
      subject: () =>
        measureMs(async () => {
          const { state } = await project.plan();
          if (state !== 'same') {
            throw new Error(`The state is ${state}`);
          }
        }),
      base: () => measureMs(project.read),
    },
  );
}

/** Creates a project with some of the tables, and with the rules and relations that use only those. */
async function createPartialProject(share: number): Promise<string> {
  const folder = join(temporary.path, `part-${share}`);
  await cp(fullProject, folder, { recursive: true });
  await rm(join(folder, 'viewpoints'), { recursive: true });
  await rm(join(folder, 'environments'), { recursive: true });
  const modelFolder = join(folder, 'datamodels', title);
  const tables = (await readdir(join(modelFolder, 'tables'))).toSorted();
  const keptTables = new Set(
    tables.slice(0, Math.round(tables.length * share)).map((name) => name.replace('.table.json', '')),
  );
  for (const [kind, getTables] of Object.entries({
    tables: (text: string) => [(JSON.parse(text) as { name: string }).name],
    rules: (text: string) => (JSON.parse(text) as { table: string }[]).map(({ table }) => table),
    relations: (text: string) =>
      (JSON.parse(text) as { columns: { table: string }[] }).columns.map(({ table }) => table),
  })) {
    for (const name of await readdir(join(modelFolder, kind)).catch(() => [])) {
      const path = join(modelFolder, kind, name);
      if (!getTables(await readFile(path, 'utf8')).every((table) => keptTables.has(table))) {
        await rm(path);
      }
    }
  }
  const settings = { version: 1, manage: { datamodels: [title], viewpoints: [] } };
  await writeFile(join(folder, 'datamodel-studio.json'), JSON.stringify(settings));
  return folder;
}

const models = JSON.parse(await sandbox.fetchText('/api/v2/datamodels')) as { oid: string; title: string }[];
const { oid } = models.find((model) => model.title === title) ?? { oid: '' };
await fetch(`${sandbox.url}/api/v2/datamodels/${oid}`, { method: 'DELETE', headers: sandbox.headers });

/** Opens a project with some of the tables, none of which are on the instance. */
async function openNewProject(
  share: number,
): Promise<{ readonly measure: () => Promise<number> } & Disposable> {
  const project = await openProject(await createPartialProject(share), {});
  return {
    measure: () =>
      measureMs(async () => {
        const { state } = await project.plan();
        if (state !== 'differs') {
          throw new Error(`The state is ${state}`);
        }
      }),
    [Symbol.dispose]: () => project[Symbol.dispose](),
  };
}

const smallShare = 0.25;
using small = await openNewProject(smallShare);
using whole = await openNewProject(1);
await compare(
  {
    name: 'create',
    what: 'Plan of 500 new tables and 2,000 rules',
    baseline: '5 s',
    limit: 1,
  },
  { subject: whole.measure, base: maxPlanMs },
);
await compare(
  {
    name: 'growth',
    what: 'Plan of 500 new tables and 2,000 rules',
    baseline: 'four times as long as for a quarter of them',
    limit: 1.1,
  },
  { subject: whole.measure, base: async () => (await small.measure()) / smallShare },
);
