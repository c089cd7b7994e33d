import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../../src/base/json.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const source = 'viewpoints/Revenue by Region.viewpoint.json';
const movedPath = 'viewpoints/Units Sold by Week.viewpoint.json';
const path = 'viewpoints/Copied.viewpoint.json';
const reason =
  "It might give access to data that the rules of its datamodel don't restrict yet. It and any changes to its sharing are written by the apply that completes the rules, after the rules.";

describe.each(['guide', 'contract'] as const)(
  'a shared viewpoint of a new datamodel, part of which needs a build, on an instance of the profile %s',
  (profile) => {
    const fixture = new ProjectFixture({ profile });
    const project = () => ['--project', fixture.project] as const;
    const takeWrites = () =>
      fixture.proxy
        .takeRequests()
        .filter(isWrite)
        .map((request) => `${request.method} ${request.path}`);
    const isViewpoint = (write: string): boolean => write.includes('/infusion/viewpoints');
    /** A rule, or the relation without which rules don't restrict the custom table. */
    const isRestriction = (write: string): boolean => /datasecurity|\/relations/.test(write);

    /** Adds a copy of a datamodel that has rules and custom tables, and a viewpoint of it. */
    const addCopy = async (): Promise<void> => {
      const copy = join(fixture.project, 'datamodels/Copy');
      await cp(join(fixture.project, 'datamodels/Retail'), copy, { recursive: true });
      await rename(join(copy, 'Retail.datamodel.json'), join(copy, 'Copy.datamodel.json'));
      await fixture.changeJson('datamodels/Copy/Copy.datamodel.json', { title: 'Copy' });
      const viewpoint = await fixture.readJson(source);
      const details = isJsonObject(viewpoint['details']) ? viewpoint['details'] : {};
      await fixture.write(path, {
        ...viewpoint,
        name: 'Copied',
        details: { ...details, datasource: { title: 'Copy', modelType: 'external' } },
      });
    };

    /** Renames a viewpoint, and moves it to the copy of the datamodel. */
    const moveToCopy = async (): Promise<void> => {
      const viewpoint = await fixture.readJson(movedPath);
      await fixture.changeJson(movedPath, {
        name: 'Moved',
        renamedFrom: viewpoint['name'] ?? '',
        details: (await fixture.readJson(path))['details'] ?? {},
      });
    };

    const build = () => fixture.expectExit(0, 'build', 'Copy', '--execute');

    test('is written by the later apply, after the rules, as is a viewpoint that moves to the datamodel', async () => {
      await addCopy();
      await moveToCopy();
      const planned = await fixture.expectExit(2, 'plan');
      expect(planned.stdout).toContain('+ viewpoint/Copied (not in this apply)\n');
      expect(planned.stdout).toContain(
        '~ viewpoint/Moved (renamed from viewpoint/Units Sold by Week) (not in this apply)\n',
      );
      expect(planned.stdout).toContain(`Not in this apply: viewpoint/Copied, viewpoint/Moved: ${reason}\n`);
      const markdown = await fixture.expectExit(2, 'plan', '--format', 'markdown');
      expect(markdown.stdout).toContain('viewpoint/Copied');
      expect(markdown.stdout).toContain("data that the rules of its datamodel don't restrict yet");
      const json = await fixture.expectExit(2, 'plan', '--format', 'json');
      const { changes, deferred, counts } = planOutputSchema.parse(JSON.parse(json.stdout));
      expect(changes).toContainEqual(expect.objectContaining({ item: 'viewpoint/Copied', deferred: true }));
      expect(deferred).toContainEqual({ item: 'viewpoint/Copied', reason: 'rules-first', text: reason });
      expect(counts).toMatchObject({ deferred: deferred.length, update: 0 });
      takeWrites();

      const first = await fixture.expectExit(2, 'apply', '--execute');
      expect(first.stderr).toContain(
        `Done, but ${deferred.length} items need another apply: see "Not in this apply".`,
      );
      expect(takeWrites().filter(isViewpoint)).toEqual([]);
      expect((await fixture.expectExit(2, 'drift')).stdout).toContain('viewpoint/Copied');
      const pulled = await fixture.expectExit(0, 'pull', ...project());
      expect(pulled.stdout).not.toContain(path);

      await build();
      takeWrites();
      await fixture.expectExit(0, 'apply', '--execute');
      const writes = takeWrites();
      expect(writes.filter(isViewpoint)).toEqual([
        'POST /api/v1/infusion/viewpoints',
        expect.stringContaining('PUT /api/v1/infusion/viewpoints/'),
      ]);
      expect(writes.some(isRestriction)).toBe(true);
      expect(writes.findIndex(isViewpoint)).toBeGreaterThan(writes.findLastIndex(isRestriction));
      await fixture.expectExit(0, 'plan');
      await fixture.expectExit(0, 'drift');
    });

    test.each([
      ['--datamodel', 'Marketing', '--viewpoint', 'Copied'],
      ['--viewpoint', 'Copied'],
    ])(
      'is not written by an apply whose options leave out its datamodel: %s',
      async (...limits: readonly string[]) => {
        await addCopy();
        const limited = () => fixture.run('apply', ...limits, '--execute');
        /** What the instance has: nothing, or a part of the datamodel without any rules. */
        const expectWait = async (): Promise<void> => {
          takeWrites();
          const { code, stdout, stderr } = await limited();
          expect(stderr).toContain(
            'The rules that viewpoint/Copied needs must be written first. Apply its datamodel first, or together with the viewpoint.',
          );
          expect(stderr).not.toContain('before the next build');
          expect(stdout).toContain('+ viewpoint/Copied (not in this apply)\n');
          expect(stdout).toContain(`Not in this apply: viewpoint/Copied: ${reason}\n`);
          expect(code).toBe(2);
          expect(takeWrites()).toEqual([]);
        };
        await expectWait();
        await fixture.expectExit(2, 'apply', '--datamodel', 'Copy', '--execute');
        await expectWait();
        await build();
        await expectWait();
        await fixture.expectExit(0, 'apply', '--datamodel', 'Copy', '--execute');
        takeWrites();
        expect((await limited()).code).toBe(0);
        expect(takeWrites()).toEqual(['POST /api/v1/infusion/viewpoints']);
      },
    );

    test('is not written if the rules stop with an error, until they are finished', async () => {
      await addCopy();
      await fixture.expectExit(2, 'apply', '--execute');
      await build();
      takeWrites();
      fixture.proxy.intercept((request) =>
        isWrite(request) && isRestriction(request.path) ? 500 : 'forward',
      );
      const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
      fixture.proxy.intercept();
      expect(takeWrites().filter(isViewpoint)).toEqual([]);
      const journal = /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
      await fixture.expectExit(0, 'resume', journal, '--execute', ...project());
      const writes = takeWrites();
      expect(writes.findIndex(isViewpoint)).toBeGreaterThan(writes.findLastIndex(isRestriction));
      await fixture.expectExit(0, 'plan');
    });

    test.each(['resume', 'roll-back'])(
      'still waits after a first apply that stopped was ended with %s',
      async (command) => {
        await addCopy();
        const tablePath = 'datamodels/Copy/tables/Orders.table.json';
        await fixture.changeJson(tablePath, { description: 'Stops here' });
        fixture.proxy.intercept((request) =>
          isWrite(request) && request.body.includes('Stops here') ? 500 : 'forward',
        );
        const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
        fixture.proxy.intercept();
        takeWrites();
        const journal = /Journal: (\S+)/.exec(stderr)?.[1] ?? '';
        const ended = await fixture.expectExit(
          command === 'resume' ? 2 : 0,
          command,
          journal,
          '--execute',
          ...project(),
        );
        if (command === 'roll-back') {
          expect(ended.stderr).not.toContain('viewpoint/Copied');
        } else if (profile === 'guide') {
          expect(ended.stderr).toContain('3 items need another apply: ');
          expect(ended.stderr).toContain('viewpoint/Copied');
        } else {
          // Rules wait for a build, too. So do custom tables, whose columns the instance has already: the list is cut off.
          expect(ended.stderr).toContain('12 items need another apply: ');
          expect(ended.stderr).toContain('table/Copy/Customer Value, and 2 more. ');
        }
        expect(takeWrites().filter(isViewpoint)).toEqual([]);
        const next = await fixture.run('plan');
        expect(next.stdout).toContain('+ viewpoint/Copied (not in this apply)\n');
        expect(next.stdout).not.toContain('changed on the server');
      },
    );
  },
);
