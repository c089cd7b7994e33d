import { describe, expect, test } from 'vitest';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const written = 'datamodels/Retail/tables/Stores.table.json';
const unwritten = 'viewpoints/Profit by Week.viewpoint.json';
const other = 'datamodels/Retail/tables/Orders.table.json';
const added = 'viewpoints/Added.viewpoint.json';

/** What a person does to the files after an apply has stopped, and the changes that are left then. */
const edits: readonly (readonly [string, (fixture: ProjectFixture) => Promise<void>, readonly string[]])[] = [
  [
    'a file that was written is edited',
    (fixture) => fixture.changeJson(written, { description: 'Corrected' }),
    ['update table/Retail/Stores'],
  ],
  [
    'a file that was not written yet is edited',
    (fixture) => fixture.changeJson(unwritten, { description: 'Corrected' }),
    ['update viewpoint/Profit by Week'],
  ],
  [
    'a file that the apply does not write is edited',
    (fixture) => fixture.changeJson(other, { description: 'Corrected' }),
    ['update table/Retail/Orders'],
  ],
  ['the file that was not written yet is deleted', (fixture) => fixture.remove(unwritten), []],
  [
    'a file is added',
    async (fixture) =>
      fixture.write(added, { ...(await fixture.readJson(unwritten)), name: 'Added', description: 'New' }),
    ['create viewpoint/Added'],
  ],
];

describe.each(['guide', 'contract'] as const)(
  'if files change after an apply has stopped, on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    const project = () => ['--project', fixture.project] as const;

    /** Applies two changes with an instance that refuses the second one; returns the ID of the journal. */
    const stop = async (): Promise<string> => {
      await fixture.changeJson(written, { description: 'Writen' });
      await fixture.changeJson(unwritten, { description: 'The last write' });
      fixture.proxy.intercept((request) =>
        isWrite(request) && request.body.includes('The last write') ? 500 : 'forward',
      );
      const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
      fixture.proxy.intercept();
      return /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
    };

    const listChanges = async (): Promise<readonly string[]> => {
      const { stdout } = await fixture.run('plan', '--format', 'json');
      return planOutputSchema
        .parse(JSON.parse(stdout))
        .changes.map(
          ({ action, item, changedOnServer }) =>
            `${action} ${item}${changedOnServer ? ' (changed on the server)' : ''}`,
        );
    };

    /** Expects changes of the project only, which a pull keeps and an apply makes. */
    const expectOnlyOwnChanges = async (changes: readonly string[]): Promise<void> => {
      expect(await listChanges()).toEqual(changes);
      const pull = await fixture.expectExit(0, 'pull', ...project());
      expect(pull.stderr).not.toContain('Conflict');
      expect(await listChanges()).toEqual(changes);
      await fixture.expectExit(0, 'apply', '--execute');
      expect(await listChanges()).toEqual([]);
    };

    test.each(edits)('resume finishes the apply: %s', async (_what, edit, changes) => {
      const journal = await stop();
      await edit(fixture);
      const { stderr } = await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain('Done. The change was finished.');
      expect(stderr).not.toContain('others');
      await expectOnlyOwnChanges(changes);
    });

    test.each(edits)('roll-back undoes the apply: %s', async (what, edit, changes) => {
      const journal = await stop();
      await edit(fixture);
      await fixture.expectExit(0, 'roll-back', journal, '--execute', ...project());
      const planned = [
        'update table/Retail/Stores',
        ...(what.includes('deleted') ? [] : ['update viewpoint/Profit by Week']),
      ];
      await expectOnlyOwnChanges([...new Set([...changes, ...planned])].toSorted(compareItems));
    });

    test.each(edits)('abandon keeps what the apply has written: %s', async (what, edit, changes) => {
      const journal = await stop();
      await edit(fixture);
      await fixture.expectExit(0, 'abandon', journal, '--execute', ...project());
      const planned = what.includes('deleted') ? [] : ['update viewpoint/Profit by Week'];
      await expectOnlyOwnChanges([...new Set([...changes, ...planned])].toSorted(compareItems));
    });

    test('the deletion of a file whose item was written is kept', async () => {
      const first = 'viewpoints/Profit by Month.viewpoint.json';
      await fixture.changeJson(first, { description: 'Written first' });
      const journal = await stop();
      await fixture.remove(first);
      const { stderr } = await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain('Done. The change was finished. Only on the instance, kept: 1 viewpoint.');
      const pull = await fixture.expectExit(0, 'pull', ...project());
      expect(pull.stderr).toContain('Kept: viewpoint/Profit by Month (deleted in the project)');
      expect(await listChanges()).toEqual([]);
    });

    test("other users' changes of written items still count as changed by others", async () => {
      const journal = await stop();
      await fixture.setTableDescription('Stores', 'Theirs');
      await fixture.changeJson(written, { description: 'Corrected' });
      const { stderr } = await fixture.expectExit(1, 'resume', journal, '--execute', ...project());
      expect(stderr).toContain('because others have since changed these items: table/Retail/Stores.');
      expect(await listChanges()).toEqual(['update table/Retail/Stores (changed on the server)']);
    });
  },
);

const compareItems = (a: string, b: string): number =>
  (a.split(' ')[1] ?? '').localeCompare(b.split(' ')[1] ?? '');
