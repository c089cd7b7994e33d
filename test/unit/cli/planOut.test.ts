import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/command.ts';
import { plan } from '../../../src/cli/commands/plan.ts';
import { CommandRefusedError } from '../../../src/cli/exitCodes.ts';
import { outputVersion } from '../../../src/cli/outputParts.ts';
import { planFileVersion } from '../../../src/cli/planOutputSchema.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plan-out-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs `plan` with a wrong option, so that it is refused once it has dealt with the old file of `--out`. */
const planTo = (path: string): Promise<unknown> =>
  plan({
    args: { getValue: (name: string) => ({ out: path, prune: 'nonsense' })[name] },
  } as unknown as CommandContext);

const oldPlan = JSON.stringify({
  version: outputVersion,
  planFileVersion,
  command: 'plan',
  instance: { url: 'https://a.example', role: 'staging' },
  environment: 'test',
  hash: 'x',
  prune: [],
  limits: {},
  ignoreErrors: [],
});

describe('a refused plan', () => {
  test('leaves no older plan at the path of --out, and any other file as it is', async () => {
    const [planPath, otherPath] = [join(folder, 'plan.json'), join(folder, 'other.json')];
    await writeFile(planPath, oldPlan);
    await writeFile(otherPath, '{}');
    for (const path of [planPath, otherPath, join(folder, 'new.json')]) {
      await expect(planTo(path)).rejects.toThrow(/^Unknown kind in --prune/);
    }
    expect(await readdir(folder)).toEqual(['other.json']);
    expect(await readFile(otherPath, 'utf8')).toBe('{}');
  });

  test('replaces and creates no file of a project', async () => {
    const paths = [
      'datamodel-studio.json',
      'environments/prod.json',
      'environments/prod.lock.json',
      'datamodels/Retail/tables/Orders.table.json',
      'viewpoints/Sales.viewpoint.json',
    ].map((path) => join(folder, path));
    for (const path of paths) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '{}');
    }
    await symlink(paths[0] ?? '', join(folder, 'link.json'));
    for (const path of [...paths, join(folder, 'link.json')]) {
      await expect(planTo(path)).rejects.toThrow('The --out file belongs to a project. Use another file.');
    }
    // A former plan, new files, one of them in a folder behind a link, and one in a folder that doesn't exist.
    await writeFile(paths[1] ?? '', oldPlan);
    await symlink(join(folder, 'environments'), join(folder, 'link'));
    for (const path of [
      paths[1] ?? '',
      join(folder, 'environments', 'new.json'),
      join(folder, 'link', 'new.json'),
      join(folder, 'datamodels', 'New', 'tables', 'New.table.json'),
    ]) {
      await expect(planTo(path)).rejects.toThrow('The --out file belongs to a project. Use another file.');
    }
    expect(await readFile(paths[1] ?? '', 'utf8')).toBe(oldPlan);
    // Files that are no part of the project.
    await writeFile(join(folder, 'environments', 'rules.csv'), 'a');
    for (const path of [join(folder, 'environments', 'rules.csv'), join(folder, 'new.json')]) {
      await expect(planTo(path)).rejects.toThrow(/^Unknown kind in --prune/);
    }
  });

  test("says why it can't look for an older plan", async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const failure = planTo(join(file, 'plan.json'));
    await expect(failure).rejects.toBeInstanceOf(CommandRefusedError);
    await expect(failure).rejects.toThrow(
      "Can't write the --out file. Part of its path is a file, not a folder (ENOTDIR).",
    );
  });
});
