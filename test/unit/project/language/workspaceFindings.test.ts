import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/project/validate/finding.ts';
import { sortFindings } from '../../../../src/project/validate/finding.ts';
import { validateProject } from '../../../../src/project/validate/validateProject.ts';
import { paths } from '../../../support/projectFiles.ts';
import { createEngine } from './languageSupport.ts';

type Engine = Awaited<ReturnType<typeof createEngine>>['engine'];

/** Collects the findings of all files as the editor does. */
class FindingsReader {
  readonly #engine: Engine;
  readonly files = new Map<string, readonly Finding[]>();
  #revision = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Reads what has changed, and returns the paths of the files that were named. */
  async read(): Promise<readonly string[]> {
    const named: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const update = await this.#engine.getFindingsUpdate(this.#revision);
      for (const [path, findings] of update.files) {
        named.push(path);
        this.files.set(path, findings);
      }
      ({ hasMore, revision: this.#revision } = update);
    }
    return named.toSorted();
  }

  get all(): readonly Finding[] {
    return sortFindings([...this.files.values()].flat());
  }
}

const otherViewpoint = {
  name: 'Other',
  details: { datasource: { title: 'Other' }, columns: [] },
};

describe('the findings of all files', () => {
  test('are those of validate after each change, and only files whose findings have changed are named', async () => {
    const { engine, folder, getText, write } = await createEngine();
    const reader = new FindingsReader(engine);
    expect(await reader.read()).toEqual([]);
    const change = async (path: string, text: string): Promise<readonly string[]> => {
      write(path, text);
      await engine.update([path]);
      const named = await reader.read();
      expect(reader.all).toEqual(await validateProject(folder));
      return named;
    };
    const orders = getText(paths.orders);
    // SQL, rules, and a viewpoint still use the column that is gone.
    expect(await change(paths.orders, orders.replace('"Status"', '"State"'))).toEqual(
      [paths.label, paths.rules, paths.totalsSql, paths.viewpoint].toSorted(),
    );
    expect(await change(paths.orders, orders)).toHaveLength(4);
    expect(await change(paths.label, 'UPPER([Statu])')).toEqual([paths.label]);
    expect(await change(paths.label, 'UPPER([Status])')).toEqual([paths.label]);
    // A dataset that can't be read may be the one that is named.
    const datasetPath = 'datamodels/Retail/datasets/Sales.dataset.json';
    const dataset = getText(datasetPath);
    const named = await change(datasetPath, dataset.replace('"Sales"', '"Sold"'));
    expect(named).toContain(paths.orders);
    expect(await change(datasetPath, '{')).toEqual(expect.arrayContaining([datasetPath, paths.orders]));
    await change(datasetPath, dataset);
    // The settings determine whether the project should have the datamodel of a viewpoint, and have their own findings.
    await change('viewpoints/Other.viewpoint.json', JSON.stringify(otherViewpoint));
    expect(reader.files.get('viewpoints/Other.viewpoint.json')?.map(({ code }) => code)).toContain(
      'viewpoint/unknown-datamodel',
    );
    await change('datamodel-studio.json', '{"version": 1, "manage": {"datamodels": ["Retail"]}}');
    expect(reader.files.get('viewpoints/Other.viewpoint.json')?.map(({ code }) => code)).not.toContain(
      'viewpoint/unknown-datamodel',
    );
    const datamodelPath = 'datamodels/Retail/Retail.datamodel.json';
    // What "manage" excludes depends on the settings and on the names in the files.
    const hasUnmatchedPattern = (): boolean =>
      reader.files
        .get('datamodel-studio.json')
        ?.some(({ code, column }) => code === 'settings/unmatched-pattern' && column === 42) === true;
    expect(
      await change('datamodel-studio.json', '{"version": 1, "manage": {"datamodels": ["Retial"]}}'),
    ).toEqual(expect.arrayContaining(['datamodel-studio.json', datamodelPath]));
    expect(hasUnmatchedPattern()).toBe(true);
    expect(reader.files.get(datamodelPath)?.map(({ code }) => code)).toContain('project/not-managed');
    const datamodel = getText(datamodelPath);
    await change(datamodelPath, datamodel.replace('Retail', 'Retial'));
    expect(hasUnmatchedPattern()).toBe(false);
    expect(reader.files.get(datamodelPath)?.map(({ code }) => code)).not.toContain('project/not-managed');
    await change(datamodelPath, datamodel);
    expect(await change('datamodel-studio.json', '{"version": 7}')).toContain('datamodel-studio.json');
    expect(await change('environments/prod.json', '{"url": 7, "role": "production"}')).toEqual([
      'environments/prod.json',
    ]);
    rmSync(join(folder, paths.orders));
    await engine.update([paths.orders]);
    await reader.read();
    expect(reader.all).toEqual(await validateProject(folder));
  });

  test('are found a few files at a time, and include those of unsaved changes', async () => {
    const viewpoints = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `viewpoints/V${index}.viewpoint.json`,
        { ...otherViewpoint, name: `V${index}` },
      ]),
    );
    const { engine } = await createEngine({
      ...viewpoints,
      'datamodel-studio.json': { version: 1 },
    });
    const first = await engine.getFindingsUpdate(0);
    expect(first.hasMore).toBe(true);
    expect(first.files.length).toBeLessThan(60);
    const reader = new FindingsReader(engine);
    await reader.read();
    expect(reader.files.size).toBe(120);
    engine.setUnsaved([{ path: paths.label, text: 'UPPER([Statu])' }]);
    expect(await reader.read()).toEqual([paths.label]);
    engine.setUnsaved([{ path: paths.label }]);
    expect(await reader.read()).toEqual([paths.label]);
    expect(reader.files.get(paths.label)).toEqual([]);
  });
});
