import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { validateOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { runCli } from '../../support/cliInProcess.ts';
import { CliSandboxFixture } from '../../support/cliSandboxFixture.ts';

const validate = (folder: string, ...args: readonly string[]) =>
  runCli(['validate', '--project', folder, ...args]);

describe.each(['guide', 'contract'] as const)('a project of an instance of the profile %s', (profile) => {
  const cli = new CliSandboxFixture({ profile });
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'project-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('has no errors right after a pull, and a later error in a file is reported', async () => {
    expect(await cli.run('pull', '--project', folder)).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await validate(folder);
    expect(code, stdout).toBe(0);
    expect(stderr).toMatch(/^Errors: 0, warnings: \d+, information: \d+\.$/m);

    const path = 'datamodels/Retail/tables/Orders/Delivery.datamodel.sql';
    const sql = await readFile(join(folder, path), 'utf8');
    await writeFile(join(folder, path), sql.replace('[Status]', '[Statu]'));
    const broken = await validate(folder, '--format', 'json');
    expect(broken.code).toBe(1);
    const { counts, findings } = validateOutputSchema.parse(JSON.parse(broken.stdout));
    expect(counts.error).toBe(1);
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { path, line: 1, code: 'sql/unknown-column' },
    ]);
    const text = await validate(folder);
    expect(text.stdout).toMatch(
      /^datamodels\/Retail\/tables\/Orders\/Delivery\.datamodel\.sql:1:\d+: error: /m,
    );
  });
});

test('a folder that is not a project is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  try {
    const { code, stdout, stderr } = await validate(folder);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain("The folder isn't a project.");
  } finally {
    await rm(folder, { recursive: true });
  }
});
