import { describe, expect, test } from 'vitest';
import { type ProxyAction, isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

describe.each(['guide', 'contract'] as const)(
  'custom data that others change during an apply to an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    const readObjects = (app: string) =>
      fixture.runAsOtherUser(async (client) => (await client.customData.query({ app })).value);
    const changeAsOther = (app: string, change: object): Promise<unknown> =>
      fixture.runAsOtherUser((client) =>
        client.customData.updateMatching({ queryForSearch: { app }, objectForUpdate: { ...change } }),
      );

    /** Starts a project with custom data and one table, and plans changes of the table and of the custom data. */
    const edit = async (): Promise<void> => {
      await fixture.write('datamodel-studio.json', {
        version: 1,
        manage: {
          datamodels: ['Retail'],
          viewpoints: [],
          customData: { Notes: { app: 'notes' }, Terms: { app: 'terms' } },
        },
      });
      await fixture.expectExit(0, 'pull', '--project', fixture.project);
      await fixture.changeJson('datamodels/Retail/tables/Customers.table.json', { description: 'First' });
    };

    /** Calls a function while the table is written, which is the first step. */
    const meanwhile = (run: () => Promise<unknown>): void => {
      let isDone = false;
      fixture.proxy.intercept(async (request): Promise<ProxyAction> => {
        if (!isDone && isWrite(request)) {
          isDone = true;
          await run();
        }
        return 'forward';
      });
    };

    const apply = ['apply', '--prune', 'custom-data', '--execute'] as const;

    test('is kept, named, and a resume is refused', async () => {
      await edit();
      const path = 'custom-data/Notes.custom-data.json';
      const { content } = await fixture.readJson(path);
      await fixture.changeJson(path, { content: { ...(content as object), text: 'Mine' } });
      meanwhile(() => changeAsOther('notes', { text: 'Theirs' }));
      const { stderr } = await fixture.expectExit(1, ...apply);
      expect(stderr).toContain(
        'Stopped after 1 of 2 steps. The custom data object Notes was changed on the server in the meantime.',
      );
      expect(stderr).toContain('change custom data object Notes');
      expect(await readObjects('notes')).toMatchObject([{ text: 'Theirs' }]);

      const journal = /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
      const resume = ['resume', journal, '--execute', '--project', fixture.project] as const;
      const refused = await fixture.expectExit(4, ...resume);
      expect(refused.stderr).toContain('The custom data object Notes was changed on the server');
      expect(refused.stderr).toContain('Nothing was written.');
      expect(await readObjects('notes')).toMatchObject([{ text: 'Theirs' }]);
    });

    test('is not deleted', async () => {
      await edit();
      await fixture.remove('custom-data/Terms.custom-data.json');
      meanwhile(() => changeAsOther('terms', { version: 4 }));
      const { stderr } = await fixture.expectExit(1, ...apply);
      expect(stderr).toContain('The custom data object Terms was changed on the server in the meantime.');
      expect(await readObjects('terms')).toMatchObject([{ version: 4 }]);
    });
  },
);
