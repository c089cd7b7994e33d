import { describe, expect, test } from 'vitest';
import { type ProxyAction, isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { isSoak } from '../../support/soak.ts';

const rulesPath = 'datamodels/Retail/rules/Orders.Channel.rules.json';
const prune = ['--prune', 'rules,viewpoints'] as const;
const formerGroups = ['Finance', 'Sales'];

/** For each viewpoint, the groups that it is shared with after the apply; the last viewpoint is deleted. */
const plannedGroups: Readonly<Record<string, readonly string[]>> = {
  'Revenue by Region': ['Sales'],
  'Units Sold by Week': ['Executives', 'Finance', 'Sales'],
  'Profit by Week': ['Executives', 'Sales'],
  'Units Sold by Region': [],
};
const names = Object.keys(plannedGroups);

describe.each(['guide', 'contract'] as const)(
  'an apply that deletes rules and changes viewpoints, on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });

    /** Shares the viewpoints with the former groups on the instance, and with the planned groups in the project. */
    const prepare = async (): Promise<void> => {
      await fixture.useNewInstance();
      await fixture.useNewProject();
      const share = (name: string, groups: readonly string[]): Promise<void> =>
        fixture.changeJson(`viewpoints/${name}.viewpoint.json`, {
          enabled: true,
          visibility: { enabled: true, apps: ['teams'], groups, users: [] },
        });
      for (const name of names) {
        await share(name, formerGroups);
      }
      await fixture.expectExit(0, 'apply', '--execute');
      for (const [name, groups] of Object.entries(plannedGroups)) {
        await (groups.length === 0
          ? fixture.remove(`viewpoints/${name}.viewpoint.json`)
          : share(name, groups));
      }
      await fixture.remove(rulesPath);
    };

    /** Reads which groups the viewpoints are shown to, and whether the rules exist. */
    const readState = () =>
      fixture.runAsOtherUser(async ({ viewpoints, extractRules, groups }) => {
        const groupNames = new Map(
          (await groups.list()).value.map(({ _id: id, name }) => [id, name] as const),
        );
        const listed = (await viewpoints.list({ limit: 1000, with: ['visibility'] })).value.viewpoints;
        const rules = await extractRules.list({ server: 'LocalHost', elasticube: 'Retail' });
        return {
          hasRules: rules.value.some(({ table, column }) => table === 'Orders' && column === 'Channel'),
          shown: Object.fromEntries(
            names.map((name) => {
              const found = listed.find((viewpoint) => viewpoint.name === name);
              const shared = found?.enabled === true ? (found.visibility?.groups ?? []) : [];
              return [name, shared.map((group) => groupNames.get(group) ?? group).toSorted()];
            }),
          ),
        };
      });
    type State = Awaited<ReturnType<typeof readState>>;

    /**
     * Expects that viewpoints are shown only to planned groups, or also to former groups as long as the rules exist.
     */
    const expectSafe = ({ hasRules, shown }: State): void => {
      const unwanted = names.map((name) => {
        const allowed = hasRules
          ? [...formerGroups, ...(plannedGroups[name] ?? [])]
          : (plannedGroups[name] ?? []);
        return [name, ...(shown[name] ?? []).filter((group) => !allowed.includes(group))];
      });
      expect(unwanted).toEqual(names.map((name) => [name]));
    };

    /** Records the state before each write; one of the writes, counted from 1, is intercepted. */
    const watch = (heldWrite = 0, action: ProxyAction = 'hold') => {
      const states: State[] = [];
      const { promise: held, resolve } = Promise.withResolvers<void>();
      let count = 0;
      fixture.proxy.intercept(async (request) => {
        if (!isWrite(request)) {
          return 'forward';
        }
        count += 1;
        states.push(await readState());
        return count === heldWrite ? action : 'forward';
      }, resolve);
      return { states, held };
    };

    test('hides viewpoints before it deletes the rules, and shows viewpoints afterward', async () => {
      await prepare();
      const { states } = watch();
      fixture.proxy.takeRequests();
      await fixture.expectExit(0, 'apply', ...prune, '--execute');
      fixture.proxy.intercept();
      const kinds = fixture.proxy
        .takeRequests()
        .filter(isWrite)
        .map(({ method, path }) => `${method} ${path.includes('/viewpoints') ? 'viewpoint' : 'rules'}`);
      const [first, last] = [kinds.indexOf('DELETE rules'), kinds.lastIndexOf('DELETE rules')];
      expect(kinds.slice(0, first).toSorted()).toEqual([
        'DELETE viewpoint',
        'PUT viewpoint',
        'PUT viewpoint',
      ]);
      expect(kinds.slice(last + 1)).toEqual(['PUT viewpoint', 'PUT viewpoint']);
      states.forEach(expectSafe);
      expect(await readState()).toEqual({ hasRules: false, shown: plannedGroups });
      await fixture.expectExit(0, 'plan', ...prune);
    });

    // The sixth write is the second write to the viewpoint that is changed twice.
    const killPoints = isSoak ? [1, 2, 3, 4, 5, 6, 7] : [2, 5, 6];
    const killCases = killPoints.flatMap((number) =>
      (['resume', 'roll-back'] as const).map(
        (ending, index) => [number, (number + index) % 2 === 1 ? 'hold' : 'hold-response', ending] as const,
      ),
    );

    test.each(killCases)(
      'shows viewpoints to no other groups if it is killed at write %i (%s), and then ended with %s',
      async (writeNumber, action, ending) => {
        await prepare();
        const original = await readState();
        const killed = watch(writeNumber, action);
        const run = fixture.start('apply', ...prune, '--execute');
        await killed.held;
        const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
        run.kill('SIGKILL');
        await run.ended;
        const ended = watch();
        await fixture.expectExit(0, ending, journal, '--execute', '--project', fixture.project);
        fixture.proxy.intercept();
        [...killed.states, ...ended.states].forEach(expectSafe);
        expect(await readState()).toMatchObject(
          ending === 'resume' ? { hasRules: false, shown: plannedGroups } : original,
        );
        expect((await fixture.run('plan', ...prune)).code).toBe(ending === 'resume' ? 0 : 2);
      },
    );
  },
);
